/* SPDX-License-Identifier: GPL-3.0-or-later
 * When a run that is to be precise may stop: `precision: 1 %` of `precision_of: cost_usd.p90`, for
 * all strategies jointly. */
#ifndef FLEETCAST_SCENARIOS_PRECISION_H
#define FLEETCAST_SCENARIOS_PRECISION_H

#include "engine/diagnostics.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study.h"

struct precision_target {
    enum metric metric;
    double quantile; /* 0.9 */
    double share;    /* half width of the 95 % interval over the value */
};

/* From the scenario's keys; without `precision_of` it is P90 of the cost in the scenario's
 * currency. What is no metric, no quantile, or yes or no in each world (whose quantiles are 0 or 1
 * and soon look precise) is told in d. */
bool precision_target_from(struct precision_target *t, const struct study *s,
                           struct diagnostics *d);
/* The worst over all strategies; +infinity while unknown, or when memory is out. */
double precision_worst(const struct precision_target *t, const struct results *r);

#endif
