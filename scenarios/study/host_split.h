/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a shared fleet (`kind: fleet`) costs, split over the services that stand on it: to the
 * nano-unit, by largest remainder.
 *
 * - Cost: by the node-time that their replicas took, evenly when none did.
 * - Cold starts: while nodes boot, as the cost; while replicas load, by the node-time that they
 *   loaded.
 * - Idle: each bears the node-time that its replicas had, and neither served nor loaded in; what
 *   nobody had (nodes that are empty, rooms on others) is split as the cost. */
#ifndef FLEETCAST_SCENARIOS_HOST_SPLIT_H
#define FLEETCAST_SCENARIOS_HOST_SPLIT_H

#include "engine/money_split.h"
#include "models/fleet/work.h"
#include "scenarios/study/metrics.h"

#include <stdbool.h>
#include <stddef.h>

/* Scratch for one thread. */
struct host_split {
    size_t workloads;
    money_t *weights, *parts;
    struct money_part *scratch;
};

/* False when out of memory; host_split_release is due either way. */
bool host_split_init(struct host_split *h, size_t workloads);
void host_split_release(struct host_split *h);

/* Parts, by workload, of an amount that the workload `host` bears, as its cost is split; they are
 * in h->parts. False: nobody stands on it. */
bool host_split_amount(struct host_split *h, const struct work_result *works, size_t host,
                       money_t amount);

/* Idle and cold-start cost of the host and of those who stand on it. cells: by workload, filled. */
void host_split_vain(struct host_split *h, const struct work_result *works, size_t host,
                     struct metric_cells *cells);

#endif
