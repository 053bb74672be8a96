/* SPDX-License-Identifier: GPL-3.0-or-later
 * The value of an objective for one strategy, from the worlds themselves. Work cut off at the
 * horizon leaves it unknown, or between two bounds, wherever it could make it another. */
#ifndef FLEETCAST_SCENARIOS_OBJECTIVE_ESTIMATE_H
#define FLEETCAST_SCENARIOS_OBJECTIVE_ESTIMATE_H

#include "scenarios/study/objective.h"
#include "scenarios/study/results.h"

#include <stdbool.h>
#include <stddef.h>

struct estimate {
    double value; /* NaN when unknown */
    bool known;
    double at_least, at_most; /* sure bounds whatever censored worlds would have become; both the
                                 value when known; infinite where there is none */
    double low, high;         /* interval: order statistics of a quantile, Wilson's of a chance,
                                 Student's of a mean; infinite where it is open */
    size_t n, censored;       /* worlds in which the metric exists, and of them the censored ones;
                                 n = 0: it exists in none */
};

/* The objective's metric in every world, r->replications values; NaN where it does not exist. Both
 * arrays are the caller's. Returns how many are censored. */
size_t objective_column(const struct objective *o, const struct results *r, size_t strategy,
                        double *values, unsigned char *censored);
/* From values as above. False when out of memory. */
bool objective_estimate_from(const struct objective *o, const double *values,
                             const unsigned char *censored, size_t n, double confidence,
                             struct estimate *e);
/* The objective must have been parsed with the workloads' names. False when out of memory. */
bool objective_estimate(const struct objective *o, const struct results *r, size_t strategy,
                        double confidence, struct estimate *e);

#endif
