/* SPDX-License-Identifier: GPL-3.0-or-later
 * The cost of a world split over those who cause it, to the nano-unit. Each workload bears its own
 * bill. What workloads share is split by a rule; charges of the plan that are somebody's are borne
 * by a holder of their own.
 *
 * In proportion: what commitments did to the usage of a pool (what it would have cost, less what of
 * the commitments it used) goes to the workloads that ran in it, by their time on demand there; all
 * that is left (what is unused and later, charges of the plan, the rest of discounts) to all, in
 * proportion to their own bills, evenly when those are nothing. */
#ifndef FLEETCAST_MODELS_COST_SPLIT_H
#define FLEETCAST_MODELS_COST_SPLIT_H

#include "engine/money_split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum split_rule { SPLIT_PROPORTIONAL, SPLIT_EVEN, SPLIT_KEEP };

struct cost_split {
    enum split_rule rule;
    size_t workloads;
    const money_t *own; /* by workload: its own bill */
    money_t shared;     /* the bill of what they share */
    size_t lines;
    const money_t *of_line; /* of the shared bill: charges that are somebody's, discounts off */
    size_t slots;
    const money_t
        *of_slot; /* likewise: used by a slot, less its worth, plus discounts given back */
    const int64_t *slot_us; /* slots × workloads: node-time on demand */
    int64_t support, tax;   /* parts of `whole` that come on top of those, tax on support too */
    int64_t whole;          /* > 0 */
};

/* Holders: workloads, then lines, then what is kept apart (0 but under SPLIT_KEEP). They add up to
 * all bills together. scratch, parts: workloads entries. False when a sum passed what money holds.
 */
bool cost_split(const struct cost_split *s, money_t *holders, struct money_part *scratch,
                money_t *parts);

#endif
