/* SPDX-License-Identifier: GPL-3.0-or-later
 * A FOCUS file under way, and the cells that several kinds of its rows have in common. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_WRITING_H
#define FLEETCAST_SCENARIOS_FOCUS_WRITING_H

#include "engine/csv_writer.h"
#include "models/billing/focus_rows.h"
#include "models/catalogue/catalogue.h"
#include "scenarios/output/focus_cells.h"
#include "scenarios/output/focus_export.h"
#include "scenarios/output/focus_services.h"
#include "scenarios/study/launches.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ids are made up: nobody takes them for a provider's. */
#define SKU "fleetcast:"

struct focus_writing {
    struct focus_export *e;
    struct csv_writer csv;
    struct focus_cells row;
    struct launch_counts launches;
    size_t next_record; /* the node after that of the last row, in the log */
    uint32_t next_twin, launch;
    bool *told; /* by commitment: its rest was written */
    char prices_as_of[24];
};

/* line: of the bill, for what is sold under its own name. */
void writing_service(struct focus_writing *w, const struct focus_service *service,
                     const char *line);
/* Whose it is. item: of charges, for what is shared; may be NULL. */
void writing_payer(struct focus_writing *w, size_t payer, const struct charge_item *item);
void writing_region(struct focus_writing *w);
/* way: to buy it. */
void writing_type(struct focus_writing *w, const struct instance_type *type, const char *way);
/* off: of the price, in parts of SHARE_WHOLE. */
void writing_price(struct focus_writing *w, money_t price, int64_t off);

#endif
