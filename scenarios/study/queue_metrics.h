/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of jobs that queue for nodes. */
#ifndef FLEETCAST_SCENARIOS_QUEUE_METRICS_H
#define FLEETCAST_SCENARIOS_QUEUE_METRICS_H

#include "scenarios/study/metrics.h"

/* Of one workload; q NULL: it has none, and they are absent. */
void queue_metrics_fill(struct metric_cells *c, const struct work_queue *q);
/* Of all workloads: those that are no sums or maxima. Sums must be there. */
void queue_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                        size_t count);

#endif
