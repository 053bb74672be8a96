/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/prefix_blocks.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 4096 };

void prefix_blocks_release(struct prefix_blocks *b)
{
    free(b->slots);
    *b = (struct prefix_blocks){0};
}

/* Where the id stands, or would. Fibonacci hashing: ids are often consecutive. */
static size_t place_of(const struct prefix_blocks *b, uint64_t id)
{
    size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (b->capacity - 1);
    while (b->slots[at] != 0 && b->slots[at] != id + 1) {
        at = (at + 1) & (b->capacity - 1);
    }
    return at;
}

bool prefix_blocks_has(const struct prefix_blocks *b, uint64_t id)
{
    return b->capacity > 0 && b->slots[place_of(b, id)] != 0;
}

static bool grow(struct prefix_blocks *b)
{
    struct prefix_blocks larger = {.capacity = b->capacity == 0 ? FIRST_CAPACITY : 2 * b->capacity,
                                   .count = b->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < b->capacity; i++) {
        if (b->slots[i] != 0) {
            larger.slots[place_of(&larger, b->slots[i] - 1)] = b->slots[i];
        }
    }
    free(b->slots);
    *b = larger;
    return true;
}

bool prefix_blocks_add(struct prefix_blocks *b, uint64_t id)
{
    if (prefix_blocks_has(b, id)) {
        return true;
    }
    if (b->count == PREFIX_BLOCKS_MOST || (2 * (b->count + 1) > b->capacity && !grow(b))) {
        return false;
    }
    b->slots[place_of(b, id)] = id + 1;
    b->count++;
    return true;
}
