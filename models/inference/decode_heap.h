/* SPDX-License-Identifier: GPL-3.0-or-later
 * The decoding requests of one language-model replica by the step after which each is done: a
 * binary heap from whose middle requests can be taken. */
#ifndef FLEETCAST_MODELS_DECODE_HEAP_H
#define FLEETCAST_MODELS_DECODE_HEAP_H

#include "models/inference/service_requests.h"

#include <stdbool.h>
#include <stdint.h>

struct decode_entry {
    uint64_t done_at;
    uint32_t request;
};

/* Read only for owners; entries[0] is done first. */
struct decode_heap {
    struct service_requests *requests;
    struct decode_entry *entries;
    uint32_t count, capacity;
};

/* Empty; requests are borrowed. */
void decode_heap_init(struct decode_heap *h, struct service_requests *requests);
void decode_heap_release(struct decode_heap *h);
/* Room for so many in all. False when memory is out. */
bool decode_heap_reserve(struct decode_heap *h, uint32_t count);
/* By the request's done_at; there must be room. Its heap_place is kept up to date. */
void decode_heap_push(struct decode_heap *h, uint32_t request);
void decode_heap_remove(struct decode_heap *h, uint32_t place);

#endif
