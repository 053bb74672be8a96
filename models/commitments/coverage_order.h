/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which commitment can cover which group of usage, and in which order: the pairs that coverage.c
 * walks along. */
#ifndef FLEETCAST_MODELS_COVERAGE_ORDER_H
#define FLEETCAST_MODELS_COVERAGE_ORDER_H

#include "models/commitments/coverage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coverage_pair {
    uint32_t commitment, slot;
    int64_t weight; /* capacity that one microsecond of the slot's usage takes, in the commitment's
                       units: a normalisation factor, 1, or a rate an hour */
};

/* Groups without duplicates, in an order that depends on what they are alone. */
struct coverage_slots {
    const struct coverage_group **group; /* by slot */
    uint32_t *of_group;                  /* slot of each group given */
    money_t *rates;                      /* slot × commitment; 0 = the plan does not apply */
    size_t count;
};

/* The rate of a group under a plan, checked; 0 = the plan does not apply. False: told in d. */
bool coverage_rate(const struct coverage_group *g, const struct commitment *c, size_t index,
                   struct place where, struct diagnostics *d, money_t *rate);
/* rates: group × commitment, of coverage_rate. False when memory is out. */
bool coverage_slots_init(struct coverage_slots *s, const struct coverage_group *groups,
                         size_t group_count, const money_t *rates, size_t commitment_count);
void coverage_slots_release(struct coverage_slots *s);

/* All pairs, in order; the caller frees. False when memory is out or a size has no factor, told in
 * d. */
bool coverage_order(const struct coverage_slots *s, const struct commitment *commitments,
                    size_t commitment_count, struct place where, struct diagnostics *d,
                    struct coverage_pair **pairs, size_t *pair_count);

#endif
