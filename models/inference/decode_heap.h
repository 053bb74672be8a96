/* SPDX-License-Identifier: GPL-3.0-or-later
 * The decoding requests of one language-model replica by the step after which each is done: a
 * binary heap. Where in it a request is it does not note, since that is asked for only when one is
 * evicted, and would have to be written at every step of a request through the heap. */
#ifndef FLEETCAST_MODELS_DECODE_HEAP_H
#define FLEETCAST_MODELS_DECODE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct decode_entry {
    uint64_t done_at;
    uint32_t request;
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
bool decode_heap_reserve(struct decode_heap *h, uint32_t count);
/* There must be room. */
void decode_heap_push(struct decode_heap *h, uint64_t done_at, uint32_t request);
/* Takes out the first. There is one. */
void decode_heap_pop(struct decode_heap *h);
/* Takes out this request, which is looked for and is in it. */
void decode_heap_remove(struct decode_heap *h, uint32_t request);

#endif
