/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of services that answer requests. */
#ifndef FLEETCAST_SCENARIOS_SERVICE_METRICS_H
#define FLEETCAST_SCENARIOS_SERVICE_METRICS_H

#include "scenarios/study/metrics.h"

/* Of one workload, whose cost must be there, and its share of that of shared nodes; s NULL: it is
 * no service, and they are absent. hosted: its nodes are those of another workload, so that nothing
 * is known of what they cost idle. */
void service_metrics_fill(struct metric_cells *c, const struct work_service *s, bool hosted);
/* Of all workloads: those that are no sums. Sums must be there. */
void service_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                          size_t count);

#endif
