/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_keys.h. */
#include "models/catalogue/price_keys.h"

#include <stdlib.h>

enum { STATISTIC_BITS = 8 };

bool price_keys_add(struct price_keys *k, struct price_key key)
{
    if (k->count == k->capacity) {
        size_t capacity = k->capacity ? 2 * k->capacity : 1024;
        struct price_key *grown = realloc(k->keys, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        k->keys = grown;
        k->capacity = capacity;
    }
    k->keys[k->count++] = key;
    return true;
}

void price_keys_release(struct price_keys *k)
{
    free(k->keys);
    *k = (struct price_keys){0};
}

static int compare_groups(const struct price_key *a, const struct price_key *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->cell != b->cell) {
        return a->cell < b->cell ? -1 : 1;
    }
    return (a->day > b->day) - (a->day < b->day);
}

static int compare_keys(const void *left, const void *right)
{
    const struct price_key *a = left, *b = right;
    int order = compare_groups(a, b);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

void price_keys_check(struct price_keys *k,
                      void (*clash)(const struct price_key *key, int earlier_line, void *context),
                      void *context)
{
    if (k->count == 0) {
        return;
    }
    qsort(k->keys, k->count, sizeof *k->keys, compare_keys);
    int first_line[STATISTIC_BITS] = {0}; /* within the group: of each statistic; 0 = none yet */
    for (size_t i = 0; i < k->count; i++) {
        const struct price_key *key = &k->keys[i];
        bool new_group = i == 0 || compare_groups(key - 1, key) != 0;
        int earlier = 0;
        for (int s = 0; s < STATISTIC_BITS; s++) {
            if (new_group) {
                first_line[s] = 0;
            }
            if (!(key->statistics >> s & 1)) {
                continue;
            }
            if (first_line[s] == 0) {
                first_line[s] = key->line;
            } else if (earlier == 0 || first_line[s] < earlier) {
                earlier = first_line[s];
            }
        }
        if (earlier > 0) {
            clash(key, earlier, context);
        }
    }
}
