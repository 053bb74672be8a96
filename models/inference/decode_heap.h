/* SPDX-License-Identifier: GPL-3.0-or-later
 * The decoding requests of one language-model replica by the step after which each is done: a
 * binary heap. Which was admitted last is looked for when one is evicted, since a list of them
 * would have to be kept up with every request. */
#ifndef FLEETCAST_MODELS_DECODE_HEAP_H
#define FLEETCAST_MODELS_DECODE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct decode_entry {
    uint64_t done_at;
    uint32_t request;
    uint32_t order; /* of its admission */
};

/* Read only for owners; entries[0] is done first. */
struct decode_heap {
    struct decode_entry *entries;
    uint32_t count, capacity;
};

/* Empty. */
void decode_heap_init(struct decode_heap *h);
void decode_heap_release(struct decode_heap *h);
/* Room for so many in all. False when memory is out. */
static inline bool decode_heap_reserve(struct decode_heap *h, uint32_t count);
/* There must be room. */
void decode_heap_push(struct decode_heap *h, struct decode_entry e);
/* Takes out the first. There is one. */
void decode_heap_pop(struct decode_heap *h);
/* Takes out the one of the latest admission, which is looked for. There is one. */
struct decode_entry decode_heap_take_newest(struct decode_heap *h);

/* ---- private ---- */

bool decode_heap_grow(struct decode_heap *h, uint32_t count);

static inline bool decode_heap_reserve(struct decode_heap *h, uint32_t count)
{
    return count <= h->capacity || decode_heap_grow(h, count);
}

#endif
