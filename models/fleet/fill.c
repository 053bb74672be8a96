/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fill.h"

#include "models/fleet/independent_nodes.h"

#include <assert.h>
#include <string.h>

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void fill_share(const struct fill_entry *entries, size_t count, uint32_t need, const uint32_t *got,
                uint32_t *share, size_t pools)
{
    uint32_t left[FILL_MAX_ENTRIES]; /* of what a pool has got, not yet counted for an entry */
    uint32_t lack[FILL_MAX_ENTRIES]; /* that its entries so far wait for */
    assert(pools <= FILL_MAX_ENTRIES);
    memset(share, 0, pools * sizeof *share);
    memset(lack, 0, sizeof lack);
    memcpy(left, got, pools * sizeof *left);
    uint32_t rest = need;
    for (size_t i = 0; i < count; i++) {
        uint32_t pool = entries[i].pool;
        uint32_t wanted = lesser(entries[i].most, rest - lesser(rest, lack[pool]));
        uint32_t taken = lesser(wanted, left[pool]);
        share[pool] += wanted;
        left[pool] -= taken;
        lack[pool] += wanted - taken;
        rest -= taken;
    }
}

/* ---- over crews ---- */

void fill_init(struct fill *f, const struct fill_entry *entries, size_t entry_count,
               struct crew *const *crews, size_t crew_count)
{
    assert(entry_count <= FILL_MAX_ENTRIES && crew_count <= FILL_MAX_ENTRIES);
    *f = (struct fill){.entries = entries, .entry_count = entry_count, .crew_count = crew_count};
    for (size_t k = 0; k < crew_count; k++) {
        f->crews[k] = crews[k];
    }
}

void fill_begin(struct fill *f)
{
    f->need = 0;
    f->updating = f->again = false;
}

/* What the first `count` entries ask of each pool, as things stand. */
static void ask_shares(const struct fill *f, size_t count, uint32_t *share)
{
    uint32_t got[FILL_MAX_ENTRIES];
    for (size_t k = 0; k < f->crew_count; k++) {
        got[k] = f->crews[k]->held - f->crews[k]->noticed;
    }
    fill_share(f->entries, count, f->need, got, share, f->crew_count);
}

void fill_keeps(const struct fill *f, uint32_t *share)
{
    uint32_t got[FILL_MAX_ENTRIES] = {0};
    for (size_t k = 0; k < f->crew_count; k++) {
        got[k] = f->crews[k]->ready;
    }
    fill_share(f->entries, f->entry_count, f->need, got, share, f->crew_count);
}

static void keep(struct fill *f)
{
    uint32_t share[FILL_MAX_ENTRIES];
    fill_keeps(f, share);
    for (size_t k = 0; k < f->crew_count; k++) {
        independent_keep(f->crews[k], share[k], END_RELEASED);
    }
}

/* One entry after the other, since what a pool grants at once decides what the next is asked for;
 * only then is known what nobody needs to ask for any longer. */
static void follow_once(struct fill *f)
{
    uint32_t share[FILL_MAX_ENTRIES];
    for (size_t i = 0; i < f->entry_count; i++) {
        ask_shares(f, i + 1, share);
        independent_want_at_least(f->crews[f->entries[i].pool], share[f->entries[i].pool]);
    }
    ask_shares(f, f->entry_count, share);
    for (size_t k = 0; k < f->crew_count; k++) {
        independent_want(f->crews[k], share[k]);
    }
    if (!f->holds) {
        keep(f);
    }
}

void fill_follow(struct fill *f)
{
    if (f->updating) {
        f->again = true;
        return;
    }
    f->updating = true;
    do {
        f->again = false;
        follow_once(f);
    } while (f->again);
    f->updating = false;
}

void fill_trim(struct fill *f)
{
    bool updating = f->updating;
    f->updating = true; /* nobody asks in the middle of it */
    keep(f);
    f->updating = updating;
}

void fill_need(struct fill *f, uint32_t need)
{
    f->need = need;
    fill_follow(f);
}

void fill_release(struct fill *f, enum end_reason reason)
{
    f->need = 0;
    f->updating = true; /* nobody asks in the middle of it */
    for (size_t k = 0; k < f->crew_count; k++) {
        crew_release(f->crews[k], reason);
    }
    f->updating = false;
}

uint32_t fill_working(const struct fill *f)
{
    uint32_t working = 0;
    for (size_t k = 0; k < f->crew_count; k++) {
        working += f->crews[k]->ready + f->crews[k]->leaving;
    }
    return working;
}

uint32_t fill_held(const struct fill *f)
{
    uint32_t held = 0;
    for (size_t k = 0; k < f->crew_count; k++) {
        held += f->crews[k]->held;
    }
    return held;
}
