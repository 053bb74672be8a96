/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys of one file's dated rows, to find those that it has twice. A key is (kind, cell, day)
 * and a set of statistics: two rows clash when they share one, so that a row without a statistic
 * (all three) clashes with a row for the mean. Sorting all keys once costs n log n; nothing is
 * hashed. */
#ifndef FLEETCAST_MODELS_PRICE_KEYS_H
#define FLEETCAST_MODELS_PRICE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct price_key {
    int64_t day;
    uint32_t cell;
    int line;
    uint8_t kind;       /* the caller's */
    uint8_t statistics; /* bits; never 0 */
};

struct price_keys {
    struct price_key *keys;
    size_t count, capacity;
};

/* False when memory is out. */
bool price_keys_add(struct price_keys *k, struct price_key key);
void price_keys_release(struct price_keys *k);

/* Calls `clash` for every row that shares its key with an earlier line: the earliest such line. */
void price_keys_check(struct price_keys *k,
                      void (*clash)(const struct price_key *key, int earlier_line, void *context),
                      void *context);

#endif
