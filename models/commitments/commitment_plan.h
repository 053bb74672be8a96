/* SPDX-License-Identifier: GPL-3.0-or-later
 * A strategy's commitments, priced and ready to be matched with its on-demand usage. Read only
 * after making; safe to share between threads. */
#ifndef FLEETCAST_MODELS_COMMITMENT_PLAN_H
#define FLEETCAST_MODELS_COMMITMENT_PLAN_H

#include "engine/schema.h"
#include "models/commitments/account_plan.h"
#include "models/commitments/coverage.h"
#include "models/commitments/ladder.h"
#include "models/commitments/later_offers.h"
#include "models/commitments/reservation_plan.h"
#include "models/commitments/savings_rates.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct commitment_plan {
    struct commitment *items;  /* as planned; in the arena; each purchase of a ladder is one; behind
                                  `count` of them `sunk` that exist before the plan */
    struct ladder_rung *rungs; /* by item: where it comes from */
    double *reuse; /* by item: share of what outlives the horizon that is of use elsewhere */
    size_t count, sunk;
    struct reservation_plan reservations; /* which cover nothing, and are among no items */
    struct coverage_group *groups; /* one per pool given, then two per pool of reservations (used,
                                      idle), then one per use of others; their rates as planned */
    size_t group_count;
    struct later_offers later;           /* what those bought after the start cost */
    struct savings_rate *rates;          /* group × (count + sunk) */
    struct savings_rate *reserved_rates; /* the same; NULL: no rate is drawn */
    struct number factor;                /* of those rates */
    struct coverage *coverage;           /* at planned rates; NULL: there is nothing to match, and
                                            nobody beside the plan */
    int *slot_of_pool; /* by market pool, of the plan's nodes (those in reserved capacity: see
                          reservations); -1: nothing covers it */
    size_t pool_count;
    uint32_t *slot_of_use; /* by use of the account */
    int *pool_of_slot;     /* of any slot */
    bool *others;          /* by slot: not the plan's */
    bool *idle;            /* by slot: reserved capacity in which nothing runs */
    const struct account_plan *account;
};

/* specs: struct commitment_spec. pools: the on-demand pools that the strategy may use. account:
 * what is there beside the plan, which is borrowed. Offers come from the catalogue as known at
 * prices_as_of; what is missing or wrong is told at the item's place, a missing offer with what
 * exists instead. False then. commitment_plan_release is due either way. */
bool commitment_plan_make(struct commitment_plan *plan, const struct schema_list *specs,
                          const int *pools, size_t pool_count, const struct account_plan *account,
                          struct market_plan *market, const struct market_context *context);
/* The coverage at a world's prices and rates, which market and drawn say; both NULL: as planned.
 * What the plan would sign at or after signed_until_us it does not. items: count + sunk commitments
 * to fill with what they cost in it. The caller frees. NULL when
 * out of memory, or told in d as by coverage_new. */
struct coverage *commitment_plan_coverage(const struct commitment_plan *plan, struct market *market,
                                          const double *drawn, int64_t signed_until_us,
                                          struct commitment *items, struct place where,
                                          struct diagnostics *d);
/* How many accounts are kept of them: of items, then of those from before the plan, then of
 * reservations. */
static inline size_t commitment_plan_accounts(const struct commitment_plan *plan)
{
    return plan->count + plan->sunk + plan->reservations.count;
}
/* Where reserved_rates has the rate of a group under the k-th commitment. */
static inline size_t commitment_plan_cell(const struct commitment_plan *plan, size_t group,
                                          size_t k)
{
    return group * (plan->count + plan->sunk) + k;
}
void commitment_plan_release(struct commitment_plan *plan);

#endif
