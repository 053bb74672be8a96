/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ways to buy an hour of one instance type, out of the table break_even. */
#ifndef FLEETCAST_PLOTS_BUY_WAYS_H
#define FLEETCAST_PLOTS_BUY_WAYS_H

#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

#define BUY_WAYS_MAX 6 /* paid anyway, on one page */

struct buy_way {
    char name[128]; /* "1-year standard, no upfront"; "… (assumed)" */
    double per_hour;
    double above, above_spot; /* share of use from which it is cheaper; NaN: not known */
    bool is_signed, assumed;
    const char *kind; /* borrowed from the table */
    double term;
};

struct buy_ways {
    char type[72];
    double on_demand, spot; /* NaN: not known */
    /* What is signed first, then the cheapest of each kind and term; by price. */
    struct buy_way way[BUY_WAYS_MAX];
    size_t count, left_out;
};

/* The first type of which something is signed; count = 0 when there is none. False, with an error
 * in d, when a column is absent. */
bool buy_ways_read(struct buy_ways *out, const struct table *t, const char *cost_metric,
                   struct diagnostics *d);

/* The cheapest signed one. */
const struct buy_way *buy_ways_signed(const struct buy_ways *w);

#endif
