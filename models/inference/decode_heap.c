/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/decode_heap.h"

#include <stdlib.h>

static void set(struct decode_heap *h, uint32_t place, struct decode_entry e)
{
    h->entries[place] = e;
    h->requests->items[e.request].heap_place = place;
}

static void sift_up(struct decode_heap *h, uint32_t place, struct decode_entry e)
{
    while (place > 0 && h->entries[(place - 1) / 2].done_at > e.done_at) {
        set(h, place, h->entries[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    set(h, place, e);
}

static void sift_down(struct decode_heap *h, uint32_t place, struct decode_entry e)
{
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= h->count) {
            break;
        }
        if (child + 1 < h->count && h->entries[child + 1].done_at < h->entries[child].done_at) {
            child++;
        }
        if (h->entries[child].done_at >= e.done_at) {
            break;
        }
        set(h, place, h->entries[child]);
        place = child;
    }
    set(h, place, e);
}

void decode_heap_push(struct decode_heap *h, uint32_t request)
{
    const struct decode_entry e = {.done_at = h->requests->items[request].done_at,
                                   .request = request};
    sift_up(h, h->count++, e);
}

void decode_heap_remove(struct decode_heap *h, uint32_t place)
{
    struct decode_entry last = h->entries[--h->count];
    if (place == h->count) {
        return;
    }
    if (place > 0 && h->entries[(place - 1) / 2].done_at > last.done_at) {
        sift_up(h, place, last);
    } else {
        sift_down(h, place, last);
    }
}

bool decode_heap_reserve(struct decode_heap *h, uint32_t count)
{
    if (count <= h->capacity) {
        return true;
    }
    uint32_t capacity = h->capacity < 8 ? 16 : h->capacity * 2;
    capacity = capacity < count ? count : capacity;
    struct decode_entry *entries = realloc(h->entries, capacity * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    h->entries = entries;
    h->capacity = capacity;
    return true;
}

void decode_heap_init(struct decode_heap *h, struct service_requests *requests)
{
    *h = (struct decode_heap){.requests = requests};
}

void decode_heap_release(struct decode_heap *h)
{
    free(h->entries);
    decode_heap_init(h, h->requests);
}
