/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_book.h. */
#include "models/catalogue/price_book.h"

#include <stdlib.h>

enum { ROWS_MAX = 4000000 };

void price_book_init(struct price_book *b)
{
    *b = (struct price_book){0};
}

void price_book_release(struct price_book *b)
{
    free(b->pending);
    *b = (struct price_book){0};
}

bool price_book_add(struct price_book *b, const struct price_row *row)
{
    if (b->pending_count == b->pending_capacity) {
        size_t capacity = b->pending_capacity ? 2 * b->pending_capacity : 1024;
        if (b->pending_capacity >= ROWS_MAX) {
            return false;
        }
        struct price_row *grown = realloc(b->pending, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        b->pending = grown;
        b->pending_capacity = capacity;
    }
    b->pending[b->pending_count++] = *row;
    return true;
}

/* By cell, date, layer; then by line, so that the order never depends on qsort. */
static int compare_rows(const void *left, const void *right)
{
    const struct price_row *a = left, *b = right;
    if (a->cell != b->cell) {
        return a->cell < b->cell ? -1 : 1;
    }
    if (a->price.from_unix_s != b->price.from_unix_s) {
        return a->price.from_unix_s < b->price.from_unix_s ? -1 : 1;
    }
    if (a->origin.layer != b->origin.layer) {
        return a->origin.layer < b->origin.layer ? -1 : 1;
    }
    return (a->origin.line > b->origin.line) - (a->origin.line < b->origin.line);
}

bool price_book_freeze(struct price_book *b, size_t cells, struct arena *arena)
{
    b->cells = cells;
    b->prices = arena_array(arena, b->pending_count + 1, sizeof *b->prices);
    b->origins = arena_array(arena, b->pending_count + 1, sizeof *b->origins);
    b->first = arena_array(arena, cells + 1, sizeof *b->first);
    if (!b->prices || !b->origins || !b->first) {
        return false;
    }
    if (b->pending_count > 0) {
        qsort(b->pending, b->pending_count, sizeof *b->pending, compare_rows);
    }
    uint32_t kept = 0;
    size_t cell = 0;
    for (size_t i = 0; i < b->pending_count; i++) {
        const struct price_row *row = &b->pending[i];
        bool replaced = i + 1 < b->pending_count && row[1].cell == row->cell &&
                        row[1].price.from_unix_s == row->price.from_unix_s;
        if (replaced) {
            continue;
        }
        while (cell <= row->cell) {
            b->first[cell++] = kept;
        }
        b->prices[kept] = row->price;
        b->origins[kept] = row->origin;
        kept++;
    }
    while (cell <= cells) {
        b->first[cell++] = kept;
    }
    free(b->pending);
    b->pending = NULL;
    b->pending_count = b->pending_capacity = 0;
    return true;
}

size_t price_book_rows(const struct price_book *b, size_t cell, const struct dated_price **rows)
{
    *rows = b->prices + b->first[cell];
    return b->first[cell + 1] - b->first[cell];
}

const struct dated_price *price_book_at(const struct price_book *b, size_t cell, int64_t unix_s)
{
    size_t low = b->first[cell], high = b->first[cell + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->prices[middle].from_unix_s <= unix_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > b->first[cell] ? &b->prices[low - 1] : NULL;
}

struct price_origin price_book_origin(const struct price_book *b, const struct dated_price *row)
{
    return b->origins[row - b->prices];
}
