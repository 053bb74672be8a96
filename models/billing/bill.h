/* SPDX-License-Identifier: GPL-3.0-or-later
 * A bill: what one workload, or all, cost under one strategy in one world, by line and by month,
 * and the frame that says where charges fall in time. Plain sums of exact amounts, so that bills
 * add up to bills. */
#ifndef FLEETCAST_MODELS_BILL_H
#define FLEETCAST_MODELS_BILL_H

#include "engine/money.h"
#include "models/fleet/usage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a charge is for: a coarse parting of every bill, the same for all scenarios, so that months
 * can be stacked. Its amounts add up to the bill's cost, month by month. */
enum bill_category {
    BILL_ON_DEMAND, /* nodes, less what commitments cover */
    BILL_SPOT,
    BILL_COMMITMENTS_USED,   /* inside the horizon */
    BILL_COMMITMENTS_UNUSED, /* … */
    BILL_COMMITMENTS_LATER,  /* after it, used or not, less what is of use elsewhere; all of it in
                                the month after the one in which the horizon lies */
    BILL_STORAGE,
    BILL_TRANSFER, /* data transfer and NAT */
    BILL_FEES,     /* other charges beside nodes */
    BILL_DISCOUNT, /* negative */
    BILL_SUPPORT,
    BILL_TAX,
    BILL_BLOCKS,       /* capacity blocks, used or not */
    BILL_DISPLACED,    /* what others in the account pay more on demand; negative: less */
    BILL_OWNED,        /* hardware of one's own: capital, power, staff, colocation */
    BILL_RESERVATIONS, /* capacity reserved on demand in which nothing runs */
    BILL_CATEGORY_COUNT
};
extern const char *const bill_category_names[BILL_CATEGORY_COUNT];

/* Lines of hardware of one's own. */
enum owned_line { OWNED_CAPITAL, OWNED_POWER, OWNED_STAFF, OWNED_COLOCATION, OWNED_LINES };

/* What a bill parts by month beside its cost. */
enum bill_row {
    BILL_ROW_CASH,
    BILL_ROW_AMORTISED,
    BILL_ROW_CATEGORY, /* + enum bill_category */
    BILL_ROWS = BILL_ROW_CATEGORY + BILL_CATEGORY_COUNT
};

/* Where charges fall in time: set up once per scenario. */
struct rating_frame {
    int64_t start_unix_s;
    int64_t horizon_us; /* what is used at or after it is paid, but not inside the horizon */
    size_t months;      /* calendar months (UTC) from the one that holds the start to the one that
                           holds the last possible charge; later usage goes to the last. 0 = not
                           wanted */
    const int64_t *month_start_us; /* months entries, rising; the first may be negative */
    size_t others;                 /* lines of charges beside nodes (other_charges.h); 0 = none */
    const enum bill_category *other_category; /* of each of them; NULL only without by_month */
    size_t buckets;    /* timeline buckets of equal length over the horizon; 0 = not wanted */
    int64_t bucket_us; /* > 0; should the buckets end before the horizon, the rest of it goes into
                          the last one */
};

/* The bill of one workload (or of all) under one strategy in one world. Amounts in nano-units. */
struct bill {
    money_t cost;       /* DESIGN invariant 11: what the plan costs in all */
    money_t cash;       /* paid inside the horizon */
    money_t amortised;  /* used and unused share inside the horizon */
    money_t obligation; /* signed in all */
    money_t line[PURCHASE_COUNT][ACTIVITY_COUNT];    /* with other: cost before commitments */
    int64_t node_us[PURCHASE_COUNT][ACTIVITY_COUNT]; /* node-microseconds, billed or not */
    int64_t free_us;    /* node-microseconds that the first-hour rule made free */
    money_t free_worth; /* what they would have cost */
    money_t *month;     /* frame.months entries; add up to cost */
    money_t *by_month;  /* [BILL_ROWS][frame.months]: cash and amortised add up to theirs, the
                           categories of each month to `month`. NULL: not wanted */
    size_t others;      /* frame.others, set by bill_clear */
    money_t *other;     /* as many entries: lines of other charges; a discount's is negative */
    struct bill_committed {
        money_t covered;   /* worth, at on-demand prices, of the usage that commitments covered */
        money_t used;      /* their cost as far as it was used … */
        money_t unused;    /* … and lost inside the horizon */
        money_t later;     /* what is still to be borne after it, less what is of use elsewhere */
        money_t displaced; /* by how much others in the account pay more on demand than without the
                              plan; negative: less */
    } committed; /* of all workloads together: cost = lines + other - covered + used + unused +
                    later + displaced + windows_unused + owned + reserved_idle */
    money_t windows_unused; /* price of bought windows in which no node ran: see window_charges.h */
    money_t reserved_idle;  /* capacity reserved on demand and not used, less what commitments cover
                               of it: see reservation_charges.h */
    money_t owned[OWNED_LINES]; /* hardware of one's own: see owned_charges.h */
    bool overflow;              /* a sum passed 9.2e9 units: must be refused by name */
};

/* Everything to zero; month, by_month and other stay the caller's memory (set them before). */
void bill_clear(struct bill *b, const struct rating_frame *f);
/* Adds all of `part` to `whole` (month, other and committed included; by_month where both have it).
 */
void bill_add(struct bill *whole, const struct bill *part, const struct rating_frame *f);

/* An amount that is paid when it is charged, in a month (of frame.months) and of a category: to the
 * total, the month and, inside the horizon, cash and amortised. Lines are the caller's. */
void bill_charge(struct bill *b, const struct rating_frame *f, enum bill_category c, size_t month,
                 bool inside, money_t amount);

/* The frame's month that holds an instant; months >= 1. */
size_t bill_month(const struct rating_frame *f, int64_t at_us);
/* The one after that which holds the horizon's last instant, if there is one; months >= 1. */
static inline size_t bill_later_month(const struct rating_frame *f)
{
    size_t month = bill_month(f, f->horizon_us > 0 ? f->horizon_us - 1 : 0);
    return month + 1 < f->months ? month + 1 : month;
}
/* Spreads units evenly over the buckets that [from_us, to_us] meets, 0 <= from <= to; buckets >= 1.
 */
void bill_spread(const struct rating_frame *f, double *buckets, int64_t from_us, int64_t to_us,
                 double units);

/* *sum += amount; on overflow *sum stays at INT64_MAX and *overflow is set. */
static inline void accumulate(int64_t *sum, int64_t amount, bool *overflow)
{
    int64_t total; /* in a register: `sum` might be anything's address */
    if (__builtin_add_overflow(*sum, amount, &total) || total == INT64_MAX) {
        total = INT64_MAX;
        *overflow = true;
    }
    *sum = total;
}

/* Of nodes that are bought so. */
static inline enum bill_category bill_category_of_nodes(enum purchase purchase)
{
    return purchase == PURCHASE_SPOT    ? BILL_SPOT
           : purchase == PURCHASE_BLOCK ? BILL_BLOCKS
           : purchase == PURCHASE_OWNED ? BILL_OWNED
                                        : BILL_ON_DEMAND;
}

/* Of a line of charges beside nodes. */
static inline enum bill_category bill_category_of_other(const struct rating_frame *f, size_t line)
{
    return f->other_category == NULL ? BILL_FEES : f->other_category[line];
}

/* To one row of by_month, where there is one; month < frame.months, or there are none. */
static inline void bill_note(struct bill *b, const struct rating_frame *f, size_t row, size_t month,
                             money_t amount)
{
    if (b->by_month != NULL && f->months > 0) {
        accumulate(&b->by_month[row * f->months + month], amount, &b->overflow);
    }
}

/* *sum += n × amount, n >= 1, as accumulate. */
static inline void accumulate_times(int64_t *sum, int64_t amount, int64_t n, bool *overflow)
{
    int64_t product;
    if (__builtin_mul_overflow(amount, n, &product)) {
        product = INT64_MAX;
    }
    accumulate(sum, product, overflow);
}

#endif
