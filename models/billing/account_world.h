/* SPDX-License-Identifier: GPL-3.0-or-later
 * The account around the plan in one world: when others' nodes come and go, and what commitments
 * from before the plan would cover of them if there were no plan. That depends on the world alone,
 * so it is found once for all its strategies. Amounts are an hour's, rounded once per slot and
 * clock hour: the difference to a bill with the plan is exactly 0 in every hour in which the plan
 * changes nothing, however equal hours are put together. */
#ifndef FLEETCAST_MODELS_ACCOUNT_WORLD_H
#define FLEETCAST_MODELS_ACCOUNT_WORLD_H

#include "models/billing/matched_hours.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct account_world; /* one thread's memory */

/* alone: the plan of a strategy that neither runs nor signs anything. Borrows both. NULL when out
 * of memory. */
struct account_world *account_world_new(const struct commitment_plan *alone);
void account_world_free(struct account_world *w);

/* Starts the market's world; drawn as in market_begin. False when out of memory. */
bool account_world_begin(struct account_world *w, struct market *m, const double *drawn);

/* Rates the account without the plan, unless that is done for this world already. */
enum matched_status account_world_rate(struct account_world *w, const struct rating_frame *f,
                                       struct market *m, const struct covered_discount *discount);

/* What others run, for matched_set_others. */
const struct others_change *account_world_changes(const struct account_world *w, size_t *count);
int64_t account_world_until(const struct account_world *w);

/* What is covered of others' usage in a clock hour: its worth at on-demand prices less discount. */
struct account_covered {
    money_t worth;
    money_t inside; /* of an hour that holds the horizon the part before it: by time, rounded slot
                       by slot, as what is used is; of any other all of it */
};

/* The same without the plan, of each hour from at_us up to to_us, which is at most limit_us.
 * *piece: 0 at first; at_us must not fall from call to call. */
struct account_stretch {
    int64_t to_us;
    struct account_covered covered;
};
struct account_stretch account_world_without(const struct account_world *w, size_t *piece,
                                             int64_t at_us, int64_t limit_us);

/* What is matched with whom, and at which prices. */
struct account_hour {
    const struct matched_hours *hours; /* in the walk that the outcome comes from */
    const struct commitment_plan *plan;
    struct market *market;
    const struct covered_discount *discount; /* may be NULL */
    int64_t horizon_us;
};
/* What the outcome's hour that begins at from_us covers of others' usage. by_slot: memory for as
 * many. */
struct account_covered account_covered_hour(const struct account_hour *h,
                                            const struct coverage_outcome *o, int64_t from_us,
                                            int64_t *by_slot, bool *overflow);
/* Where an outcome's last hour begins: hours before it have one price each, the same in all. */
int64_t account_last_hour(const struct coverage_outcome *o);

#endif
