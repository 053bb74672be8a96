/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments on the bill: what they cover of a world's on-demand usage, hour by hour, and what
 * they cost. Rating charges all usage first, at on-demand prices; this takes off what is covered
 * and adds what was signed, used or not, to the end of the terms. */
#ifndef FLEETCAST_MODELS_COMMITTED_H
#define FLEETCAST_MODELS_COMMITTED_H

#include "models/billing/account_world.h"
#include "models/billing/bill.h"
#include "models/billing/matched_hours.h"
#include "models/commitments/commitment_plan.h"
#include "models/fleet/usage.h"

#include <stdbool.h>

struct committed; /* one thread's memory for one strategy */

/* plan with something to match; account: NULL when there is none beside the plan. Both are
 * borrowed. NULL when out of memory. */
struct committed *committed_new(const struct commitment_plan *plan, struct account_world *account);
void committed_free(struct committed *c);
/* Before the first bill of a world: see matched_begin. */
bool committed_begin(struct committed *c, struct market *m, const double *drawn,
                     int64_t signed_until_us);

/* What one commitment did to the bill rated last: the parts of bill.committed, which they add up to
 * (covered of any commitment by its own share; it covers reserved capacity that is idle too, which
 * bill.committed.covered is without). Of a capacity reservation: what ran in it (covered_us, used:
 * charged with the nodes) and what was idle (unused: at on-demand prices, before commitments cover
 * of it), up to the horizon. */
struct committed_account {
    int64_t covered_us; /* instance-microseconds that it covered */
    money_t covered;    /* their worth at on-demand prices */
    money_t used, unused, later;
    money_t used_inside; /* of used, inside the horizon; with unused its amortised cost there */
    int64_t eligible_us; /* instance-microseconds on demand that it could cover by its terms */
    int64_t others_us;   /* of others' nodes that it covered; in none of the above but used */
};
/* commitment_plan_accounts of them: by commitment of the plan, then those from before it, whose
 * cost is in no bill: inside the horizon; then capacity reservations. Zeros before the first bill.
 */
const struct committed_account *committed_accounts(const struct committed *c);
/* What the plan's own commitments cost in the world rated last, by commitment of the plan. */
const struct commitment *committed_items(const struct committed *c);

/* What commitments did to the usage of one slot (a type and zone), on the bill rated last. */
struct committed_slot {
    money_t covered; /* worth at on-demand prices */
    money_t used;    /* what of the cost of the plan's own commitments it used */
    money_t back;    /* discounts taken back */
};
/* By slot of the plan's coverage; zeros before the first bill. */
const struct committed_slot *committed_slots(const struct committed *c, size_t *count);

/* Adds the commitments to a bill: bill.committed, cost, cash, amortised, obligation and months. The
 * charges of all records, which it takes the covered part off, may stand on other bills; together
 * they are what is owed. With an account, that is its bill with the plan less its bill without it:
 * what is covered by commitments from before the plan is taken off too, and what others then pay
 * more or less on demand is added. charged: what all on-demand records are charged. discount may be
 * NULL. spend_units as in rating_rate (what is paid inside the horizon). The clock hour that holds
 * the horizon is split: see matched_inside. */
enum matched_status committed_rate(struct committed *c, const struct rating_frame *f,
                                   struct market *m, const struct usage_log *log, money_t charged,
                                   const struct covered_discount *discount, struct bill *bill,
                                   double *spend_units);

#endif
