/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often each slot of a strategy had been launched before: what tells one node from another in
 * the files that list them. */
#ifndef FLEETCAST_SCENARIOS_LAUNCHES_H
#define FLEETCAST_SCENARIOS_LAUNCHES_H

#include "models/fleet/usage.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Launches seen so far of each (workload, pool, slot) of one strategy: records of a slot stand in
 * the order of its launches. */
struct launch_counts {
    const struct work_plan *const *plans;
    uint32_t *counts;
    size_t *first; /* workloads × WORK_MAX_POOLS: where a pool's counts begin */
};

/* False when out of memory; release is due either way. */
bool launch_counts_init(struct launch_counts *l, const struct study *s, size_t strategy);
void launch_counts_release(struct launch_counts *l);
/* The ordinal of this launch; to be asked once for each node, in the log's order. */
uint32_t launch_counts_next(struct launch_counts *l, const struct usage *u, uint32_t twin);

#endif
