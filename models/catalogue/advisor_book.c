/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/catalogue/advisor_book.h"

#include <stdlib.h>

bool advisor_book_add(struct advisor_book *b, const struct advisor_entry *entry)
{
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? 2 * b->capacity : 1024;
        struct advisor_entry *grown = realloc(b->entries, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        b->entries = grown;
        b->capacity = capacity;
    }
    b->entries[b->count++] = *entry;
    return true;
}

static int compare_days(const struct advisor_entry *a, const struct advisor_entry *b)
{
    if (a->cell != b->cell) {
        return a->cell < b->cell ? -1 : 1;
    }
    return (a->row.date_unix_s > b->row.date_unix_s) - (a->row.date_unix_s < b->row.date_unix_s);
}

static int compare_entries(const void *left, const void *right)
{
    const struct advisor_entry *a = left, *b = right;
    int order = compare_days(a, b);
    return order ? order : (a->layer > b->layer) - (a->layer < b->layer);
}

void advisor_book_freeze(struct advisor_book *b)
{
    if (b->count == 0) {
        return;
    }
    qsort(b->entries, b->count, sizeof *b->entries, compare_entries);
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++) {
        bool replaced = i + 1 < b->count && compare_days(&b->entries[i], &b->entries[i + 1]) == 0;
        if (!replaced) {
            b->entries[kept++] = b->entries[i];
        }
    }
    b->count = kept;
}

void advisor_book_release(struct advisor_book *b)
{
    free(b->entries);
    *b = (struct advisor_book){0};
}

const struct advisor_entry *advisor_book_at(const struct advisor_book *b, size_t cell,
                                            int64_t unix_s)
{
    size_t low = 0, high = b->count; /* the first entry behind (cell, unix_s) */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct advisor_entry *e = &b->entries[middle];
        if (e->cell < cell || (e->cell == cell && e->row.date_unix_s <= unix_s)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && b->entries[low - 1].cell == cell ? &b->entries[low - 1] : NULL;
}
