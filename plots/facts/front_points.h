/* SPDX-License-Identifier: GPL-3.0-or-later
 * The plans of a search as points of cost and time, read from candidates.csv and front.csv. */
#ifndef FLEETCAST_PLOTS_FRONT_POINTS_H
#define FLEETCAST_PLOTS_FRONT_POINTS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

struct front_member {
    const char *plan, *parameters; /* borrowed from the table */
    bool chosen, meets_limits;
    double cost, cost_low, cost_high; /* open ends are infinite */
    double time_h, time_low_h, time_high_h;
};

struct front_dot {
    double cost, time_h;
    bool chosen;
    const char *plan;
};

struct front_points {
    struct front_member *front; /* by rising cost */
    size_t front_count;
    bool fresh;             /* its figures are of worlds that the search had not seen */
    struct front_dot *dots; /* every plan simulated whose cost and time are known */
    size_t dot_count;
    size_t simulated;
    const struct front_dot *chosen; /* NULL: none */
    const char *cost_of, *time_of;  /* "cost_usd.p50" */
};

/* cost_metric: such as "cost_usd", whose ending columns have. In the arena. False when a table
 * lacks a column or memory is out, told. */
bool front_points_read(struct front_points *p, const struct table *candidates,
                       const struct table *front, const char *cost_metric, struct arena *a,
                       struct diagnostics *d);

#endif
