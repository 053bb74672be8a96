/* SPDX-License-Identifier: GPL-3.0-or-later
 * A strategy's commitments at other sizes: what would have been signed at a level of 0, 50, 150 %
 * of what it states. Every count and hourly amount is scaled together, counts to the nearest whole
 * instance, at the same dates, terms and prices. What is simulated does not depend on it: policies
 * see what is signed, so that the same usage is rated at every level, and the curve over levels is
 * the newsvendor's (minimise r Q + p E[(D - Q)+], where the demand D is given). */
#ifndef FLEETCAST_MODELS_COMMITMENT_LEVELS_H
#define FLEETCAST_MODELS_COMMITMENT_LEVELS_H

#include "engine/schema.h"
#include "models/commitments/commitment_plan.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    COMMITMENT_LEVELS_MAX = 64,        /* stated ones */
    COMMITMENT_LEVELS_EVERY_COUNT = 10 /* of so many instances every count is a level */
};

/* One item of `commitment_levels`. */
struct level_spec {
    struct schema_item item;
    struct quantity share;
};
extern const struct schema level_schema;

struct commitment_level {
    double share;                /* of what is signed; 1: as it is */
    struct commitment_plan plan; /* its own items and coverage; all else is the strategy's */
};

/* Rising, without two that sign the same; 0 and 1 are always among them. */
struct commitment_levels {
    struct commitment_level *levels; /* in the context's arena */
    size_t count;                    /* 0: none are wanted, or nothing is signed */
};

/* stated: struct level_spec, as the user listed them, to which 0 and 1 are added; NULL: of up to
 * COMMITMENT_LEVELS_EVERY_COUNT Reserved Instances bought at once every count to twice as many,
 * else steps from 0 to 200 %, finer around what is signed. A level that costs more than can be
 * counted is left out. The plan must stay until commitment_levels_release, which is due either way.
 * False when out of memory. */
bool commitment_levels_make(struct commitment_levels *l, const struct commitment_plan *plan,
                            const struct schema_list *stated, const struct market_context *c);
/* Levels at which every commitment of the plan has a size of its own: sizes[level][item], `count` ×
 * plan->count, of Reserved Instances how many (rounded to whole ones), of savings plans so much an
 * hour in units of currency. They stay in order, equal ones too, and `share` is NaN. All sizes must
 * be countable: see commitment_size_most. False when out of memory. */
bool commitment_levels_sizes(struct commitment_levels *l, const struct commitment_plan *plan,
                             const double *sizes, size_t count, const struct market_context *c);
/* The k-th commitment as listed, at this size. */
struct commitment commitment_of_size(const struct commitment_plan *plan, size_t item, double size);
/* The largest size of the k-th commitment that can be counted: a power of two. */
double commitment_size_most(const struct commitment_plan *plan, size_t item);
void commitment_levels_release(struct commitment_levels *l);

#endif
