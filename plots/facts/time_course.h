/* SPDX-License-Identifier: GPL-3.0-or-later
 * One measure of one strategy over time, out of the timeline table. */
#ifndef FLEETCAST_PLOTS_TIME_COURSE_H
#define FLEETCAST_PLOTS_TIME_COURSE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Arrays of `count` buckets, in time's order, in the arena; missing numbers are NaN. */
struct time_course {
    size_t count;
    double *start_s, *end_s;
    double *plan, *p10, *p25, *p50, *p75, *p90;
};

/* count = 0 when the table has no such rows. False, with an error in d, when a column is absent or
 * memory is out. */
bool time_course_read(struct time_course *out, const struct table *t, const char *strategy,
                      const char *measure, struct arena *a, struct diagnostics *d);

#endif
