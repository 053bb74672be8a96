/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments on the bill: what they cover of a world's on-demand usage, hour by hour, and what
 * they cost. Rating charges all usage first, at on-demand prices; this takes off what is covered
 * and adds what was signed, used or not, to the end of the terms. */
#ifndef FLEETCAST_MODELS_COMMITTED_H
#define FLEETCAST_MODELS_COMMITTED_H

#include "models/billing/bill.h"
#include "models/commitments/commitment_plan.h"
#include "models/commitments/coverage_run.h"
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
    COMMITTED_OVERFLOW, /* of committed_walk alone: one did */
    COMMITTED_TOO_MANY, /* more nodes of one type and zone at once than can be matched */
    COMMITTED_NO_MEMORY
};

/* A discount on on-demand prices, which was given on all records and does not hold for what is
 * covered: there it is taken back. */
struct covered_discount {
    const int64_t *of_pool; /* by market pool, in parts of … */
    int64_t whole;
    money_t given; /* on all records together */
    size_t item;   /* line of bill.other */
};

/* Adds the commitments to a bill: bill.committed, cost, cash, amortised, obligation and months. The
 * charges of all records, which it takes the covered part off, may stand on other bills; together
 * they are what is owed. charged: what all on-demand records are charged. discount may be NULL.
 * spend_units as in rating_rate (what is paid inside the horizon). The clock hour that holds the
 * horizon is split: see committed_inside. */
enum committed_status committed_rate(struct committed *c, const struct rating_frame *f,
                                     struct market *m, const struct usage_log *log, money_t charged,
                                     const struct covered_discount *discount, struct bill *bill,
                                     double *spend_units);

/* Calls sink for every clock hour, or several equal ones, from the scenario's start to the end of
 * the hour in which the last usage ends, just as committed_rate sees them. *until_us: that end, 0
 * when nothing ran that could be covered. */
enum committed_status committed_walk(struct committed *c, const struct rating_frame *f,
                                     struct market *m, const struct usage_log *log,
                                     void (*sink)(void *context, const struct coverage_outcome *o),
                                     void *context, int64_t *until_us);

/* Of a cover in the walk's current outcome; to be asked from its sink. */
struct committed_part {
    int64_t us;    /* of the usage covered */
    money_t worth; /* at the on-demand price in force, rounded once */
    money_t money; /* share of the commitment's cost */
};
struct committed_part committed_whole(const struct committed *c, struct market *m,
                                      const struct coverage_outcome *o, size_t cover);
/* The part before the horizon. In the clock hour that holds it, what is covered is split as the
 * usage was, and the commitment's cost by time: never more than what it costs up to the horizon,
 * and none where no usage was. */
struct committed_part committed_inside(const struct committed *c, const struct rating_frame *f,
                                       struct market *m, const struct coverage_outcome *o,
                                       size_t cover);
/* Instance-microseconds of a slot in [from_us, to_us). */
int64_t committed_ran_us(const struct committed *c, uint32_t slot, int64_t from_us, int64_t to_us);

#endif
