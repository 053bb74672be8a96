/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments on the bill: what they cover of a world's on-demand usage, hour by hour, and what
 * they cost. Rating charges all usage first, at on-demand prices; this takes off what is covered
 * and adds what was signed, used or not, to the end of the terms. */
#ifndef FLEETCAST_MODELS_COMMITTED_H
#define FLEETCAST_MODELS_COMMITTED_H

#include "models/billing/bill.h"
#include "models/commitments/commitment_plan.h"
#include "models/fleet/usage.h"

#include <stdbool.h>

struct committed; /* one thread's memory for one strategy */

/* plan with count > 0. NULL when out of memory. The plan is borrowed. */
struct committed *committed_new(const struct commitment_plan *plan);
void committed_free(struct committed *c);

/* What one commitment did to the bill rated last: the parts of bill.committed, which they add up to
 * (covered of any commitment by its own share). */
struct committed_account {
    int64_t covered_us; /* instance-microseconds that it covered */
    money_t covered;    /* their worth at on-demand prices */
    money_t used, unused, later;
};
/* By commitment of the plan; zeros before the first bill. */
const struct committed_account *committed_accounts(const struct committed *c);

enum committed_status {
    COMMITTED_OK,       /* bill.overflow tells whether a sum passed what can be counted */
    COMMITTED_TOO_MANY, /* more nodes of one type and zone at once than can be matched */
    COMMITTED_NO_MEMORY
};

/* Adds the commitments to a bill that already holds the charges of all records: bill.committed,
 * cost, cash, amortised, obligation and months. spend_units as in rating_rate (what is paid inside
 * the horizon). In the clock hour that holds the horizon, what commitments cover of usage that goes
 * on is split by time. */
enum committed_status committed_rate(struct committed *c, const struct rating_frame *f,
                                     struct market *m, const struct usage_log *log,
                                     struct bill *bill, double *spend_units);

#endif
