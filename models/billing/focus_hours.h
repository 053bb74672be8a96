/* SPDX-License-Identifier: GPL-3.0-or-later
 * What commitments did in each clock hour (or several equal ones) of a world, kept so that node
 * after node can be given its share: how much ran of each pool, what of it was covered by whom,
 * what was lost. */
#ifndef FLEETCAST_MODELS_FOCUS_HOURS_H
#define FLEETCAST_MODELS_FOCUS_HOURS_H

#include "models/billing/bill.h"
#include "models/billing/committed.h"
#include "models/billing/matched_hours.h"
#include "models/commitments/commitment_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* States kept of one kind: covers, (hour, pool) pairs. */
enum { FOCUS_STATES_MAX = 20000000 };

/* As coverage_cover. */
struct focus_cover {
    uint32_t commitment, slot;
    int64_t us, given_us; /* given: to nodes so far */
    money_t money;
};

struct focus_hour {
    int64_t from_us, to_us;
    size_t first_cover, cover_count;
    money_t worth;       /* of what is covered, as it is taken off the bill */
    money_t shared;      /* the same as nodes were given it; the caller's to count */
    money_t back;        /* a discount on that, taken back … */
    money_t shared_back; /* … likewise */
    bool tail;           /* the part after the horizon of the hour before */
    bool two_prices;     /* a price changes in it: shares by time round to a microsecond's price */
};

/* What of a commitment nothing used, inside the horizon. */
struct focus_unused {
    size_t commitment;
    int64_t from_us, to_us;
    int64_t units_us; /* as focus_row */
    money_t money;
};

enum focus_hours_end {
    FOCUS_HOURS_DONE,
    FOCUS_HOURS_NO_MEMORY,
    FOCUS_HOURS_TOO_MANY,
    FOCUS_HOURS_OVERFLOW
};

struct focus_hours {
    size_t slots;
    struct focus_hour *hours; /* by time, without gaps up to until_us */
    struct focus_cover *covers;
    struct focus_unused *unused;
    int64_t *ran_us;  /* hours × slots: instance-microseconds */
    int64_t *seen_us; /* the same; 0 at first, the caller's to count */
    size_t hour_count, cover_count, unused_count, ran_count;
    size_t hour_capacity, cover_capacity, unused_capacity, ran_capacity; /* private */
    int64_t until_us;
    /* Of all hours together: what is covered of nodes and of idle reserved capacity, a discount on
     * both taken back, and how often covers were rounded at most. */
    money_t worth, idle_worth, back;
    int64_t pieces;
    size_t last; /* hour in which something was covered; its tail is none; SIZE_MAX: none */
    const struct commitment_plan *plan; /* borrowed, as all below */
    const struct rating_frame *frame;
    struct market *market;
    struct matched_hours *matched;
    const struct covered_discount *discount; /* on on-demand nodes; may be NULL */
    const struct coverage_outcome *outcome;  /* under way; private */
    enum focus_hours_end end;
};

/* focus_hours_release is due either way. The plan holds something. */
enum focus_hours_end focus_hours_init(struct focus_hours *h, const struct commitment_plan *plan,
                                      struct matched_hours *matched, const struct rating_frame *f,
                                      struct market *m, const struct usage_log *log,
                                      const struct covered_discount *discount);
void focus_hours_release(struct focus_hours *h);
/* Index of those that hold at_us, and in *to_us their end, should it come sooner. False when at_us
 * lies behind them all. */
bool focus_hours_cut(const struct focus_hours *h, int64_t at_us, int64_t *to_us, size_t *index);
/* Time of a type in instances of the type that is reserved: by size, where a regional reservation
 * is flexible in size. 0 for savings plans. */
int64_t focus_reserved_us(const struct commitment *c, const char *type, int64_t us);

#endif
