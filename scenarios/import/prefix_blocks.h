/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which blocks of prompts were seen before: what a prefix cache without end would have had. */
#ifndef FLEETCAST_SCENARIOS_PREFIX_BLOCKS_H
#define FLEETCAST_SCENARIOS_PREFIX_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PREFIX_BLOCKS_MOST 32000000

/* A set of ids, in one table with open addressing. All zero: empty. */
struct prefix_blocks {
    uint64_t *slots; /* id + 1; 0: free */
    size_t capacity, count;
};

void prefix_blocks_release(struct prefix_blocks *b);
bool prefix_blocks_has(const struct prefix_blocks *b, uint64_t id);
/* No effect on one that is there. id < 2^64 - 1. False when there are PREFIX_BLOCKS_MOST, or memory
 * is out. */
bool prefix_blocks_add(struct prefix_blocks *b, uint64_t id);

#endif
