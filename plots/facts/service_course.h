/* SPDX-License-Identifier: GPL-3.0-or-later
 * One service of one strategy over time in its plan world, out of the table of services. */
#ifndef FLEETCAST_PLOTS_SERVICE_COURSE_H
#define FLEETCAST_PLOTS_SERVICE_COURSE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Arrays of `count` buckets, in time's order, in the arena; missing numbers are NaN. */
struct service_course {
    size_t count;
    double *start_s, *end_s;
    double *arrival_rate, *could_serve_rate, *latency_p50_s, *latency_p95_s;
    double *arrived;
    double *overloaded; /* 0 or 1; NaN: it is not measured yet */
    double slo_s;       /* in this world; NaN: none */
    bool first_token; /* latencies and the objective are of the first token: the service, a language
                         model, has an objective of that and none of latency */
};

/* count = 0 when the table has no such rows. False, with an error in d, when a column is absent or
 * memory is out. */
bool service_course_read(struct service_course *out, const struct table *t, const char *strategy,
                         const char *workload, struct arena *a, struct diagnostics *d);

/* Over all strategies the service that is overloaded in the largest share of time, where one is in
 * more than 1 %: to show another would hide it. Else that to which most requests come. NULL: the
 * table is NULL or empty.
 * *others: how many further services there are. */
const char *service_course_main(const struct table *t, size_t *others);

/* A stretch of time that is shown. */
struct service_window {
    double from_s, to_s;
    bool part; /* there is more than this */
};
/* All of it up to a week, else the week to which most requests come, whole weeks from the start
 * being compared. */
struct service_window service_course_window(const struct service_course *all, size_t count);

/* Measured hours inside the window, and how many of them are overloaded. */
struct service_hours {
    double all, overloaded;
};
struct service_hours service_course_hours(const struct service_course *c,
                                          const struct service_window *w);

#endif
