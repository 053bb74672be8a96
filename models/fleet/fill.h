/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fills a number of independent nodes from several pools in order.
 *
 * Each entry takes up to `most` of what the entries before it did not get. Two rules, both the same
 * shares of the need, make it whole:
 * - what a pool is asked for follows from the nodes that the entries before it *hold*, those under
 *   notice not counted: a node that boots is not asked for again elsewhere, and one that got its
 *   notice is replaced at once;
 * - what a pool may keep follows from those that have *booted*: a node that stood in for one of an
 *   earlier entry is given back when that one is ready to work, not before.
 * So an entry goes on asking for what it lacks while a later one stands in. Two entries may name
 * one pool (`on-demand, spot, on-demand`): what the first of them waits for is not asked for again
 * by the second. */
#ifndef FLEETCAST_MODELS_FILL_H
#define FLEETCAST_MODELS_FILL_H

#include "models/fleet/crew.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILL_MAX_ENTRIES = 16 };
#define FILL_ALL_THE_REST UINT32_MAX

struct fill_entry {
    uint32_t pool; /* index of its crew in the fill */
    uint32_t most; /* nodes, or FILL_ALL_THE_REST */
};

/* The pure part: how many nodes each pool should have when `got` is what each has got. share: one
 * number per pool, `pools` of them. Nothing is got twice, no share exceeds the need. */
void fill_share(const struct fill_entry *entries, size_t count, uint32_t need, const uint32_t *got,
                uint32_t *share, size_t pools);

/* Read only for owners, once initialised. */
struct fill {
    const struct fill_entry *entries;
    size_t entry_count;
    struct crew *crews[FILL_MAX_ENTRIES];
    size_t crew_count;
    uint32_t need;
    bool updating, again;
    bool holds; /* nothing is given back but by fill_trim */
};

/* Crews are borrowed, made of independent nodes, and large enough for their share of any need.
 * Entries are borrowed. */
void fill_init(struct fill *f, const struct fill_entry *entries, size_t entry_count,
               struct crew *const *crews, size_t crew_count);
/* For a new world: nothing is needed. */
void fill_begin(struct fill *f);
/* From now on so many nodes are needed. */
void fill_need(struct fill *f, uint32_t need);
/* To be called in every event of its crews, except `losing`: asks for what lacks, gives back what
 * is no longer needed. Whatever this grants or frees at once is followed within the call; events
 * that come meanwhile return at once. */
void fill_follow(struct fill *f);
/* Gives back at once what nobody needs, of all that may have been held. */
void fill_trim(struct fill *f);
/* How many nodes each crew may keep, of those that have booted and the need. */
void fill_keeps(const struct fill *f, uint32_t *share);
/* Ends everything. */
void fill_release(struct fill *f, enum end_reason reason);

/* Nodes at work: booted, those under notice included. */
uint32_t fill_working(const struct fill *f);
uint32_t fill_held(const struct fill *f);

#endif
