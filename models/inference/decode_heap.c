/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/decode_heap.h"

#include <stdlib.h>

static void sift_up(struct decode_entry *entries, uint32_t place, struct decode_entry e)
{
    while (place > 0 && entries[(place - 1) / 2].done_at > e.done_at) {
        entries[place] = entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    entries[place] = e;
}

/* Among the first `count`. */
static void sift_down(struct decode_entry *entries, uint32_t count, uint32_t place,
                      struct decode_entry e)
{
    for (uint32_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
        /* Which child is first no branch predictor can know. */
        child += child + 1 < count && entries[child + 1].done_at < entries[child].done_at;
        if (entries[child].done_at >= e.done_at) {
            break;
        }
        entries[place] = entries[child];
        place = child;
    }
    entries[place] = e;
}

void decode_heap_push(struct decode_heap *h, struct decode_entry e)
{
    sift_up(h->entries, h->count++, e);
}

void decode_heap_pop(struct decode_heap *h)
{
    h->count--;
    sift_down(h->entries, h->count, 0, h->entries[h->count]);
}

struct decode_entry decode_heap_take_newest(struct decode_heap *h)
{
    uint32_t place = 0;
    for (uint32_t i = 1; i < h->count; i++) {
        place = h->entries[i].order > h->entries[place].order ? i : place;
    }
    const struct decode_entry newest = h->entries[place], last = h->entries[--h->count];
    if (place == h->count) {
        return newest;
    }
    if (place > 0 && h->entries[(place - 1) / 2].done_at > last.done_at) {
        sift_up(h->entries, place, last);
    } else {
        sift_down(h->entries, h->count, place, last);
    }
    return newest;
}

bool decode_heap_grow(struct decode_heap *h, uint32_t count)
{
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

void decode_heap_init(struct decode_heap *h)
{
    *h = (struct decode_heap){0};
}

void decode_heap_release(struct decode_heap *h)
{
    free(h->entries);
    decode_heap_init(h);
}
