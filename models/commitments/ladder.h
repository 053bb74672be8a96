/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ladders: one item of `commitments` bought several times, so that terms begin and end in steps.
 * Each purchase is a commitment of its own, with its cash on its day and its own expiry. Purchase
 * n (from 0) is made n times `every` after `at`, both counted from the scenario's start at once:
 * months are months of the calendar, and a day that a month lacks is its last day without moving
 * the purchases after it (31 January, 28 February, 31 March). */
#ifndef FLEETCAST_MODELS_LADDER_H
#define FLEETCAST_MODELS_LADDER_H

#include "models/commitments/commitment_keys.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LADDER_RUNGS_MAX = 120 };

/* Which purchase of which item a commitment is. */
struct ladder_rung {
    size_t item;         /* of the strategy's `commitments` */
    int64_t rung, rungs; /* from 0; 1: bought once */
};

/* Whether the keys of a ladder go together and its last purchase is made before the horizon; told
 * at the item's place. A single purchase behind the horizon is a warning. */
bool ladder_check(const struct commitment_spec *s, const struct market_context *c);

/* Purchases of all items together; a capacity reservation is none. */
size_t ladder_rungs(const struct commitment_spec *items, size_t count);

/* When a purchase is made, in seconds since the scenario's start. */
double ladder_at_s(const struct commitment_spec *s, int64_t start_unix_s, int64_t rung);

#endif
