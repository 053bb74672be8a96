/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dated prices of one kind (on-demand, or one spot statistic) in layers. Rows are added while files
 * are read and then frozen into one array sorted by (cell, date), with the first row of each cell
 * beside it: a cell is one type in one region, a look-up is an index and a short binary search.
 * Where two layers have a row of the same cell and date the later layer's stays. A dense index over
 * cells is small (90 types × 40 regions) and needs no hashing; frozen, it is safe to share. */
#ifndef FLEETCAST_MODELS_PRICE_BOOK_H
#define FLEETCAST_MODELS_PRICE_BOOK_H

#include "engine/arena.h"
#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a row was read: layer 0 is what is shipped, then the price files in order. */
struct price_origin {
    uint32_t layer;
    int line;
};

struct price_row {
    uint32_t cell;
    struct price_origin origin;
    struct dated_price price;
};

struct price_book {
    struct price_row *pending; /* until frozen */
    size_t pending_count, pending_capacity;
    struct dated_price *prices; /* frozen; in the arena given to price_book_freeze */
    struct price_origin *origins;
    uint32_t *first; /* per cell, and one more at the end */
    size_t cells;
};

void price_book_init(struct price_book *b);
void price_book_release(struct price_book *b); /* what was pending; frozen rows are the arena's */

/* Copies the row. False when memory or the cap (4 million rows) is out. */
bool price_book_add(struct price_book *b, const struct price_row *row);
/* Sorts, lets later layers replace earlier ones, and builds the index. False when out of memory. */
bool price_book_freeze(struct price_book *b, size_t cells, struct arena *arena);

/* Rows of a cell, oldest first. */
size_t price_book_rows(const struct price_book *b, size_t cell, const struct dated_price **rows);
/* The newest row at or before unix_s; NULL when there is none. */
const struct dated_price *price_book_at(const struct price_book *b, size_t cell, int64_t unix_s);
struct price_origin price_book_origin(const struct price_book *b, const struct dated_price *row);

#endif
