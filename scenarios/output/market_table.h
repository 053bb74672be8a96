/* SPDX-License-Identifier: GPL-3.0-or-later
 * The spot market as a table: price steps and capacity of all pools that some strategy uses, in
 * each plan world of a strategy that uses any. All strategies of one world meet the same. */
#ifndef FLEETCAST_SCENARIOS_MARKET_TABLE_H
#define FLEETCAST_SCENARIOS_MARKET_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

#include <stddef.h>
#include <stdint.h>

#define MARKET_TABLE_ROWS 20000 /* of a pool in a world */

/* NULL when out of memory. */
struct table *market_table(const struct run *run);

/* The index-th spot pool that some strategy uses, in the order of strategies, workloads and pools;
 * -1 beyond the last. *nodes: the most that a workload wants of it. */
int market_table_pool(const struct study *s, size_t index, uint32_t *nodes);

#endif
