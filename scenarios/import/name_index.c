/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/name_index.h"

#include "engine/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void name_index_release(struct name_index *n)
{
    free(n->names);
    free(n->slots);
    *n = (struct name_index){0};
}

/* Where the name stands or would: there is always a free slot. */
static size_t *find_slot(const struct name_index *n, const char *name)
{
    size_t at = (size_t)file_hash(FILE_HASH_START, name, strlen(name)) & (n->slot_count - 1);
    while (n->slots[at] != 0 && strcmp(n->names[n->slots[at] - 1], name) != 0) {
        at = (at + 1) & (n->slot_count - 1);
    }
    return &n->slots[at];
}

static bool grow(struct name_index *n)
{
    size_t capacity = n->capacity * 2 + 128;
    const char **names = realloc(n->names, capacity * sizeof *names);
    if (names == NULL) {
        return false;
    }
    n->names = names;
    n->capacity = capacity;
    size_t slots = n->slot_count == 0 ? 256 : n->slot_count;
    while (slots < 2 * capacity) {
        slots *= 2;
    }
    size_t *fresh = calloc(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    free(n->slots);
    n->slots = fresh;
    n->slot_count = slots;
    for (size_t i = 0; i < n->count; i++) {
        *find_slot(n, n->names[i]) = i + 1;
    }
    return true;
}

size_t name_index_find(const struct name_index *n, const char *name)
{
    size_t slot = n->slot_count == 0 ? 0 : *find_slot(n, name);
    return slot == 0 ? SIZE_MAX : slot - 1;
}

size_t name_index_put(struct name_index *n, struct arena *arena, const char *name)
{
    size_t known = name_index_find(n, name);
    if (known != SIZE_MAX) {
        return known;
    }
    if (n->count == n->capacity && !grow(n)) {
        return SIZE_MAX;
    }
    const char *own = arena_copy(arena, name, strlen(name));
    if (own == NULL) {
        return SIZE_MAX;
    }
    n->names[n->count++] = own;
    *find_slot(n, own) = n->count;
    return n->count - 1;
}
