/* SPDX-License-Identifier: GPL-3.0-or-later
 * A hash set with open addressing, at most half full; the texts themselves lie in an arena. The
 * order of hashes is never seen from outside. */
#include "engine/text_set.h"

#include "engine/arena.h"
#include "engine/file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct text_set {
    struct arena *arena;
    const char **texts; /* NULL = free place */
    size_t places;      /* a power of two, or 0 */
    size_t count;
};

struct text_set *text_set_new(size_t limit_bytes)
{
    struct text_set *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->arena = arena_new(limit_bytes);
    if (s->arena == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

void text_set_free(struct text_set *s)
{
    if (s == NULL) {
        return;
    }
    arena_free(s->arena);
    free(s->texts);
    free(s);
}

size_t text_set_count(const struct text_set *s)
{
    return s->count;
}

/* The place of text, or the free place where it belongs. */
static size_t find_place(const struct text_set *s, const char *text, size_t length)
{
    size_t mask = s->places - 1;
    size_t at = (size_t)file_hash(FILE_HASH_START, text, length) & mask;
    while (s->texts[at] != NULL && strcmp(s->texts[at], text) != 0) {
        at = (at + 1) & mask;
    }
    return at;
}

static bool grow(struct text_set *s)
{
    const char **old = s->texts;
    size_t old_places = s->places;
    size_t places = old_places == 0 ? 64 : 2 * old_places;
    const char **texts = calloc(places, sizeof *texts);
    if (texts == NULL) {
        return false;
    }
    s->texts = texts;
    s->places = places;
    for (size_t i = 0; i < old_places; i++) {
        if (old[i] != NULL) {
            s->texts[find_place(s, old[i], strlen(old[i]))] = old[i];
        }
    }
    free(old);
    return true;
}

const char *text_set_add(struct text_set *s, const char *text)
{
    if (2 * (s->count + 1) > s->places && !grow(s)) {
        return NULL;
    }
    size_t length = strlen(text);
    size_t at = find_place(s, text, length);
    if (s->texts[at] == NULL) {
        s->texts[at] = arena_copy(s->arena, text, length);
        s->count += s->texts[at] != NULL;
    }
    return s->texts[at];
}
