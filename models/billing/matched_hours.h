/* SPDX-License-Identifier: GPL-3.0-or-later
 * The usage of a world matched with commitments, clock hour by clock hour: from usage records to
 * changes of what runs, with cuts where prices, months and the horizon lie. The bill and the export
 * walk along the same hours. */
#ifndef FLEETCAST_MODELS_MATCHED_HOURS_H
#define FLEETCAST_MODELS_MATCHED_HOURS_H

#include "models/billing/bill.h"
#include "models/commitments/commitment_plan.h"
#include "models/commitments/coverage_world.h"
#include "models/commitments/others_use.h"
#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stdint.h>

/* Changes of one price in one hour: no more can be stated. */
enum { PRICES_AN_HOUR = 64 };

struct matched_hours; /* one thread's memory for one strategy */

/* plan with something to match. NULL when out of memory. The plan is borrowed. */
struct matched_hours *matched_hours_new(const struct commitment_plan *plan);
void matched_hours_free(struct matched_hours *h);

/* Before the first walk in a world, which the market has begun: savings-plan rates, where they are
 * drawn, and the prices of what is bought later. What would be signed at or after signed_until_us
 * is not, and capacity that is reserved on demand is given up then (INT64_MAX: all goes as
 * planned). False when out of memory. */
bool matched_begin(struct matched_hours *h, struct market *m, const double *drawn,
                   int64_t signed_until_us);
/* The plan's commitments at the prices of this world. */
const struct commitment *matched_items(const struct matched_hours *h);

enum matched_status {
    MATCHED_OK,
    MATCHED_OVERFLOW, /* a sum passed what can be counted */
    MATCHED_TOO_MANY, /* more nodes of one type and zone at once than can be matched */
    MATCHED_NO_MEMORY
};

/* Others' nodes, sorted by time, beside those of the log; slots are found by the plan's
 * slot_of_use. Walks then reach until_us at least, a full clock hour at which all of them have
 * ended. Borrowed. */
void matched_set_others(struct matched_hours *h, const struct others_change *changes, size_t count,
                        int64_t until_us);

/* A discount on on-demand prices, which was given on all records and does not hold for what is
 * covered. */
struct covered_discount {
    const int64_t *of_pool; /* by market pool, in parts of … */
    int64_t whole;
    money_t given; /* on all records together */
    size_t item;   /* line of bill.other */
};

/* Calls sink for every clock hour, or several equal ones, from the scenario's start to the end of
 * the hour in which the last usage ends, as they are billed. *until_us: that end, 0 when nothing
 * ran that could be covered. */
enum matched_status matched_walk(struct matched_hours *h, const struct rating_frame *f,
                                 struct market *m, const struct usage_log *log,
                                 void (*sink)(void *context, const struct coverage_outcome *o),
                                 void *context, int64_t *until_us);

/* Of a cover in the walk's current outcome; to be asked from its sink. */
struct matched_part {
    int64_t us;    /* of the usage covered */
    money_t worth; /* at the on-demand prices in force: see matched_worth */
    money_t money; /* share of the commitment's cost */
};
struct matched_part matched_whole(const struct matched_hours *h, struct market *m,
                                  const struct coverage_outcome *o, size_t cover);
/* The part before the horizon. In the clock hour that holds it, what is covered is split as the
 * usage was, and the commitment's cost by time: never more than what it costs up to the horizon,
 * and none where no usage was. */
struct matched_part matched_inside(const struct matched_hours *h, const struct rating_frame *f,
                                   struct market *m, const struct coverage_outcome *o,
                                   size_t cover);
/* The on-demand price of a market pool; *until_us: its end, limit_us at most. */
money_t matched_price(struct market *m, int pool, int64_t at_us, int64_t limit_us,
                      int64_t *until_us);
/* Instance-microseconds of a slot in [from_us, to_us). */
int64_t matched_ran_us(const struct matched_hours *h, uint32_t slot, int64_t from_us,
                       int64_t to_us);
/* The pool that a slot's usage ran in. */
size_t matched_pool(const struct matched_hours *h, uint32_t slot);

/* So many of `whole` parts of a price, rounded to the nano-unit. */
struct price_share {
    int64_t share, whole;
};
/* What a cover of the walk's current outcome was worth at this share of the on-demand prices in
 * force. Where one changes within the hour, the same share of the usage before and after is
 * covered; rounded once for each price. */
money_t matched_worth(const struct matched_hours *h, struct market *m,
                      const struct coverage_outcome *o, size_t cover, struct price_share part);
/* The same of any time us of the slot's usage in [from_us, to_us), which that much ran in at least.
 */
money_t matched_worth_between(const struct matched_hours *h, struct market *m, uint32_t slot,
                              int64_t us, int64_t from_us, int64_t to_us, struct price_share part);
/* Whether the slot's price changes within the outcome, which then is one hour. */
bool matched_two_prices(const struct matched_hours *h, struct market *m,
                        const struct coverage_outcome *o, uint32_t slot);

#endif
