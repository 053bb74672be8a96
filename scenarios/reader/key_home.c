/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/key_home.h"

#include "engine/text.h"

#include <string.h>

enum { DEEPEST = 16, SHORTEST = 3 };

static bool find_below(const struct schema *s, const char *key, struct text *path, int depth);

/* Looks into the sections under one key; path is left at the one that has it. */
static bool find_under(const struct schema_key *k, const char *key, struct text *path, int depth)
{
    const size_t length = path->length;

    text_format(path, "%s%s%s", length == 0 ? "" : ".", k->name,
                k->kind == SCHEMA_MAP ? ".NAME" : "");
    if (k->inner != NULL && find_below(k->inner, key, path, depth))
        return true;
    for (size_t i = 0; k->variants != NULL && k->variants[i] != NULL; i++) {
        if (!find_below(k->variants[i], key, path, depth))
            continue;
        if (k->variants[1] != NULL)
            text_format(path, " (%s: %s)", k->variants[i]->tag, k->variants[i]->name);
        return true;
    }
    if (path->length > length) {
        path->length = length;
        path->data[length] = '\0';
    }
    return false;
}

static bool find_below(const struct schema *s, const char *key, struct text *path, int depth)
{
    if (schema_find(s, key) != NULL)
        return true;
    for (size_t i = 0; i < s->key_count && depth < DEEPEST; i++) {
        const struct schema_key *k = &s->keys[i];
        if ((k->inner != NULL || k->variants != NULL) && find_under(k, key, path, depth + 1))
            return true;
    }
    return false;
}

const char *key_home(struct arena *a, const struct schema *root, const char *key)
{
    const char *home = NULL;
    struct text path;

    if (strlen(key) < SHORTEST)
        return NULL;
    text_init(&path, 0);
    if (find_below(root, key, &path, 0))
        home = arena_copy(a, path.data, path.length);
    text_release(&path);
    return home;
}
