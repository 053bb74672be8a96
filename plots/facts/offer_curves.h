/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy costs at each size of each commitment offer alone, out of the table offer_levels
 * of a search of commitments. */
#ifndef FLEETCAST_PLOTS_OFFER_CURVES_H
#define FLEETCAST_PLOTS_OFFER_CURVES_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"
#include "plots/text/figures.h"

#include <stdbool.h>
#include <stddef.h>

struct offer_point {
    double size, obligation;                /* instances, or currency an hour; currency */
    double mean;                            /* of cost */
    double regret, regret_low, regret_high; /* over the least mean of this offer */
};

/* One offer; sizes rise from 0. */
struct offer_curve {
    const char *name; /* borrowed from the table */
    bool hourly;      /* sizes are amounts an hour */
    struct offer_point *point;
    size_t count, least;
};

struct offer_curves {
    struct offer_curve *offer; /* the one of least mean first; as in the table where equal */
    size_t count;
};

/* Rows of an offer stand together. Offers with one size alone, or with a mean that is unknown, are
 * left out. False, with the reason in d, when a column is absent or memory is out. */
bool offer_curves_read(struct offer_curves *c, const struct table *t, struct arena *a,
                       struct diagnostics *d);
/* "4", "$30/h" */
struct figure offer_size(const struct offer_curve *c, const struct offer_point *p,
                         const char *currency);

#endif
