/* SPDX-License-Identifier: GPL-3.0-or-later
 * One service of one strategy over the horizon, over all worlds, out of the table of its hours. */
#ifndef FLEETCAST_PLOTS_HOUR_COURSE_H
#define FLEETCAST_PLOTS_HOUR_COURSE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Overloaded in so many worlds or more: marked as such. */
#define HOUR_COURSE_OVERLOADED 0.1

/* Arrays of `count` buckets, in time's order, in the arena; missing numbers are NaN. */
struct hour_course {
    size_t count;
    double *start_s, *end_s;
    double *p10, *p50, *p90; /* share within the objective */
    double *overloaded;      /* share of worlds */
};

/* count = 0 when the table has no such rows. False, with an error in d, when a column is absent or
 * memory is out. */
bool hour_course_read(struct hour_course *out, const struct table *t, const char *strategy,
                      const char *workload, struct arena *a, struct diagnostics *d)
    __attribute__((warn_unused_result));

/* The least P10 of any bucket; NaN: nothing is known. */
double hour_course_worst(const struct hour_course *c);

#endif
