/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of machines that people work on. */
#ifndef FLEETCAST_SCENARIOS_SESSION_METRICS_H
#define FLEETCAST_SCENARIOS_SESSION_METRICS_H

#include "scenarios/study/metrics.h"

/* Of one workload, whose bill is in its cells; NULL: it has none. */
void session_metrics_fill(struct metric_cells *c, const struct work_sessions *sessions);
/* Of all workloads together, after what is joined by rule. */
void session_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                          size_t count);

#endif
