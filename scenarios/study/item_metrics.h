/* SPDX-License-Identifier: GPL-3.0-or-later
 * The metrics of items that are worked off. */
#ifndef FLEETCAST_SCENARIOS_ITEM_METRICS_H
#define FLEETCAST_SCENARIOS_ITEM_METRICS_H

#include "scenarios/study/metrics.h"

/* Of one workload, whose bill is in its cells; NULL: it has none. */
void item_metrics_fill(struct metric_cells *c, const struct work_items *items);
/* Of all workloads together, after what is joined by rule. */
void item_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                       size_t count);

#endif
