/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of services that answer requests. */
#ifndef FLEETCAST_SCENARIOS_SERVICE_METRICS_H
#define FLEETCAST_SCENARIOS_SERVICE_METRICS_H

#include "scenarios/study/metrics.h"

/* What nodes are charged that serve nothing: while they boot, while replicas load on them, and
 * else.
 */
struct vain_cost {
    double boot, loading, idle;
    double up_s; /* node-seconds after booting */
};
/* Of the nodes of one workload, whose bill is there: at the average price of a node that has
 * booted. */
struct vain_cost service_metrics_vain(const struct metric_cells *c, double busy_node_s,
                                      double loading_node_s);

/* Of one workload, whose cost must be there, and its share of that of shared nodes; s NULL: it is
 * no service, and they are absent. hosted: its nodes are those of another workload, which alone
 * knows what they cost idle (host_split.h). */
void service_metrics_fill(struct metric_cells *c, const struct work_service *s, bool hosted);
/* Of all workloads: those that are no sums. Sums must be there. */
void service_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                          size_t count);

#endif
