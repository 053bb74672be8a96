/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices of EC2 Capacity Blocks: an hour of one instance, paid for the whole block in advance.
 * Published for regions one by one, and in the press for "most regions" at once; such a row counts
 * everywhere, but whoever uses it is told. */
#ifndef FLEETCAST_MODELS_BLOCK_PRICES_H
#define FLEETCAST_MODELS_BLOCK_PRICES_H

#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block_price {
    const struct instance_type *type;
    const struct region *region; /* NULL: "most regions" */
    int64_t from_unix_s;
    money_t per_hour;
    int line;
    const char *layer, *source, *note;
};

/* The newest row at or before as_of, of the region or of most regions (of one day the region's
 * own). NULL when there is none. A row for most regions is in USD: none for a region with another
 * currency. */
const struct block_price *catalogue_block(const struct catalogue *c, const char *type,
                                          const char *region, int64_t as_of);
/* All rows, by type, region (most regions first) and date. */
size_t catalogue_block_rows(const struct catalogue *c, const struct block_price **rows);
/* What exists instead, as one sentence (700 bytes are enough). */
void catalogue_explain_missing_block(const struct catalogue *c, const char *type,
                                     const char *region, int64_t as_of, char *out, size_t out_size);

/* ---- loading, by catalogue.c ---- */

struct block_prices {
    struct block_price *rows; /* in the arena */
    size_t count;
};
/* Reads capacity_blocks.csv of the catalogue's folder; a folder without it knows no blocks. */
bool block_prices_read(struct catalogue *c, struct diagnostics *d);

#endif
