/* SPDX-License-Identifier: GPL-3.0-or-later
 * What simulating one strategy leaves for its bill, world by world: usage records, and what became
 * of its work. Who rates the same worlds again and again, under other commitments, simulates them
 * once: a bill takes a small part of the time that a world does. */
#ifndef FLEETCAST_SCENARIOS_KEPT_USAGE_H
#define FLEETCAST_SCENARIOS_KEPT_USAGE_H

#include "models/fleet/usage.h"
#include "models/fleet/work.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Of one world; zeroed: nothing is kept. */
struct kept_usage {
    bool is_there;
    struct usage *records;
    size_t count;
    struct work_result *works; /* by workload, with what they borrow; as the work told them */
    double *submit_s;          /* by workload */
    size_t workloads;
};

/* Of many worlds, by slot, in bounded memory: what finds no room is not kept. */
struct kept_worlds {
    struct kept_usage *of;
    size_t count;
    size_t most_bytes;
    atomic_size_t bytes;
};

/* False when out of memory; release is due either way. */
bool kept_worlds_init(struct kept_worlds *k, size_t count, size_t most_bytes);
void kept_worlds_release(struct kept_worlds *k);
/* Copies into a slot that holds nothing; threads may fill different slots at a time. It stays empty
 * when there is no room, or a work tells of checkpoints, whose number it does not bound. */
void kept_worlds_take(struct kept_worlds *k, size_t slot, const struct usage_log *log,
                      const struct work_result *works, const double *submit_s, size_t workloads);

#endif
