/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a workload of many jobs says of itself, checked while a plan is made: which jobs come, and
 * when. For models/jobs only. */
#ifndef FLEETCAST_MODELS_JOBS_CHECKS_H
#define FLEETCAST_MODELS_JOBS_CHECKS_H

#include "models/jobs/jobs_plan.h"

/* Everything that is looked at while a plan is made. */
struct jobs_making {
    struct jobs_plan *plan;
    const struct jobs_spec *spec;
    const struct work_request *request;
    const struct market_context *c;
    struct strategy_terms terms;
    const char *strategy, *workload;
};

/* What is wrong with the workload, told once, not for each strategy; false for the caller's
 * convenience. */
bool jobs_refuse(const struct jobs_making *m, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* They come at random times. */
bool jobs_at_random(const struct jobs_spec *s);
/* When the last of those whose times are stated comes; the beginning when there is none. */
double jobs_last_known_s(const struct jobs_plan *p);

/* Which jobs come, how large each is, and when: fills the plan's times and its list. False, told,
 * when something is wrong. */
bool jobs_check_source(const struct jobs_making *m);
bool jobs_check_sizes(const struct jobs_making *m);
bool jobs_make_times(const struct jobs_making *m);

#endif
