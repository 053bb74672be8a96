/* SPDX-License-Identifier: GPL-3.0-or-later
 * All metrics of one strategy and workload over all worlds, one metric after the other. The results
 * lie world by world, as they are made; reading them metric by metric took most of the time of the
 * tables of 100,000 worlds, so they are turned once. */
#ifndef FLEETCAST_SCENARIOS_METRIC_BLOCK_H
#define FLEETCAST_SCENARIOS_METRIC_BLOCK_H

#include "scenarios/study/results.h"

#include <stdbool.h>
#include <stddef.h>

struct metric_block {
    size_t n;                /* worlds */
    double *values;          /* [metric][world] */
    unsigned char *censored; /* [metric][world]; of a metric that cannot be censored all 0 */
};

/* For n worlds; false when out of memory. */
bool metric_block_init(struct metric_block *b, size_t n);
void metric_block_release(struct metric_block *b);
/* n is that of r. */
void metric_block_fill(struct metric_block *b, const struct results *r, size_t strategy,
                       size_t workload);
/* Of one metric: leaves out the worlds in which the project was cancelled under both and it does
 * not exist, such as a time; returns how many are left, in order. Both of equal n; any metric but
 * METRIC_CANCELLED. */
size_t metric_block_leave_cancelled(struct metric_block *a, struct metric_block *b, enum metric m);

static inline const double *metric_block_values(const struct metric_block *b, enum metric m)
{
    return b->values + (size_t)m * b->n;
}
static inline const unsigned char *metric_block_censored(const struct metric_block *b,
                                                         enum metric m)
{
    return b->censored + (size_t)m * b->n;
}

#endif
