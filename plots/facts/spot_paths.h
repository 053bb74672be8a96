/* SPDX-License-Identifier: GPL-3.0-or-later
 * Price and room of spot pools in one world, read from the table market. */
#ifndef FLEETCAST_PLOTS_SPOT_PATHS_H
#define FLEETCAST_PLOTS_SPOT_PATHS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

#define SPOT_PATHS_MAX 6

/* One row of the table. */
struct spot_step {
    double start_s, end_s, price, capacity;
};

struct spot_path {
    const char *zone, *type;
    double nodes; /* wanted of it */
    struct spot_step *steps;
    size_t count;
    double low, high; /* price */
    size_t losses;    /* times that room for all of them ends */
    double room_s, seen_s;
};

struct spot_paths {
    size_t count, of; /* read, and in the table */
    struct spot_path path[SPOT_PATHS_MAX];
    double end_s;
};

/* The pools of world `replication`; one that is not finite: of the first row's world. cost_metric
 * tells the currency of the price's column. count is 0 without a table or rows. False, with an
 * error in d, when a column is absent or memory is out. */
bool spot_paths_read(struct spot_paths *p, const struct table *t, double replication,
                     const char *cost_metric, struct arena *a, struct diagnostics *d);

#endif
