/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a service costs for what it answers, against the load that comes, out of the table of
 * services: the buckets of a plan world are put together to hours, hours to groups of a like load
 * and about equal time, and of each group all that is paid is divided by all that is answered. A
 * single hour would say more of when nodes were started than of what they cost.
 *
 * Hours that are not measured yet, and those in which the service was overloaded, are left out:
 * what it could not answer would make the rest look cheap. */
#ifndef FLEETCAST_PLOTS_LOAD_CURVE_H
#define FLEETCAST_PLOTS_LOAD_CURVE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { LOAD_CURVE_POINTS = 8 };

struct load_curve {
    bool tokens;  /* costs are of a million tokens, prompts and answers; else of 1,000 requests */
    size_t count; /* points, by load; 0: nothing to draw */
    struct load_point {
        double per_s; /* requests that come, mean */
        double cost;
        double hours;
    } point[LOAD_CURVE_POINTS];
    double hours, left_out_h; /* used, and left out since overloaded */
    bool unpaid;              /* what is paid in an hour is not known */
};

/* Of one service of one strategy; spend: the column of what is paid. A table without the columns
 * gives no points. False when memory is out, which is told. */
bool load_curve_read(struct load_curve *out, const struct table *t, const char *spend,
                     const char *strategy, const char *workload, struct arena *a,
                     struct diagnostics *d);

#endif
