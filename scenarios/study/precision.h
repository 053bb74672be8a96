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

/* From the scenario's keys; an unknown metric or quantile is told in d. */
bool precision_target_from(struct precision_target *t, const struct study *s,
                           struct diagnostics *d);
/* The worst over all strategies; +infinity while unknown. */
double precision_worst(const struct precision_target *t, const struct results *r);

#endif
