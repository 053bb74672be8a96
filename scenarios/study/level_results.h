/* SPDX-License-Identifier: GPL-3.0-or-later
 * What each world would have cost at other levels of commitment: of the first worlds of a run, one
 * cell per replication and level, so that a run of many worlds needs no more memory for it. */
#ifndef FLEETCAST_SCENARIOS_LEVEL_RESULTS_H
#define FLEETCAST_SCENARIOS_LEVEL_RESULTS_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Worlds whose usage is rated at all levels: as many as are shown in time. */
#define LEVELS_MAX_REPLICATIONS 2000

struct level_cell {
    money_t cost;                /* of all workloads and charges */
    money_t used_inside, unused; /* the commitments' amortised cost inside the horizon */
    int64_t covered_us;          /* instance-microseconds that they covered */
};

struct level_results {
    size_t *start; /* by strategy, and behind the last: where its levels begin */
    size_t strategies;
    uint32_t capacity;        /* worlds */
    struct level_cell *cells; /* [replication][level of all strategies]; NULL: there are none */
};

/* What levels (of all strategies) need for a run of so many worlds. */
double level_bytes(size_t levels, uint32_t replications);
/* counts: levels by strategy. False when out of memory; level_results_release is due either way. */
bool level_results_init(struct level_results *r, const size_t *counts, size_t strategies,
                        uint32_t replications);
void level_results_release(struct level_results *r);

/* By level of the strategy; NULL: none, or a world behind the first ones. */
static inline struct level_cell *level_results_cells(const struct level_results *r,
                                                     uint32_t replication, size_t strategy)
{
    return r->cells == NULL || replication >= r->capacity ||
                   r->start[strategy + 1] == r->start[strategy]
               ? NULL
               : &r->cells[(size_t)replication * r->start[r->strategies] + r->start[strategy]];
}

#endif
