/* SPDX-License-Identifier: GPL-3.0-or-later
 * The money of one world as tables: what every node was used for and how its use was
 * priced, and the lines it adds up to. */
#ifndef FLEETCAST_SCENARIOS_NODE_TABLE_H
#define FLEETCAST_SCENARIOS_NODE_TABLE_H

#include "engine/table.h"
#include "models/fleet/usage.h"
#include "scenarios/study/metrics.h"
#include "scenarios/study/study.h"

/* The first `count` records by launch, with the market of the world they are of. NULL when out of
 * memory. */
struct table *node_table_usage(const struct study *s, struct market *market,
                               const struct usage_log *log, size_t count);
/* Node-hours and cost by purchase and activity, other charges (as simulation_outputs.others; NULL:
 * left out), what commitments change, and their sum. NULL when out of memory. */
struct table *node_table_lines(const struct study *s, const struct metric_cells *all,
                               const money_t *others);

#endif
