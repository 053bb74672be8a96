/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage to charges. On-demand: per second while running, 60-second minimum a start. Spot: seconds,
 * and nothing at all when the cloud interrupts before one hour after launch; the prevailing price is
 * integrated, a maximum price never is what is paid. Money is rounded once per (launch, rate, clock
 * hour); equal consecutive hours are rated once. Sources: EC2 user guide, "On-Demand Instances"
 * (2023-06-15) and "Billing for interrupted Spot Instances". */
#ifndef FLEETCAST_MODELS_RATING_H
#define FLEETCAST_MODELS_RATING_H

#include "models/fleet/usage.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where charges fall in time: set up once per scenario. */
struct rating_frame {
    int64_t start_unix_s;
    int64_t horizon_us;      /* what is used at or after it is paid, but not inside the horizon */
    size_t months;           /* calendar months from the one that holds the start to the one that
                                holds the last possible charge; later usage goes to the last */
    const int64_t *month_start_us; /* months entries; the first may be negative */
    size_t buckets;          /* timeline buckets of equal length over the horizon; 0 = not wanted */
    int64_t bucket_us;
};

/* The bill of one workload (or of all) under one strategy in one world. Amounts in nano-units. */
struct bill {
    money_t cost;       /* DESIGN invariant 11: what the plan costs in all */
    money_t cash;       /* paid inside the horizon */
    money_t amortised;  /* used and unused share inside the horizon */
    money_t obligation; /* signed in all */
    money_t line[PURCHASE_COUNT][ACTIVITY_COUNT]; /* adds up to cost */
    int64_t node_us[PURCHASE_COUNT][ACTIVITY_COUNT]; /* node-microseconds, billed or not */
    int64_t free_us;    /* node-microseconds that the first-hour rule made free */
    money_t free_worth; /* what they would have cost */
    money_t *month;     /* frame.months entries; add up to cost */
    bool overflow;      /* a sum passed 9.2e9 units: must be refused by name */
};
/* month: memory for frame.months entries, the caller's. */
void bill_clear(struct bill *b, const struct rating_frame *f);
/* Adds all of `part` to `whole` (month included). */
void bill_add(struct bill *whole, const struct bill *part, const struct rating_frame *f);

/* Rates one record and adds it to the bill. spend_units, when not NULL, holds frame.buckets doubles: the
 * spend of each bucket is added (currency units; a charge is spread evenly over its record's part in
 * the bucket). nodes, when not NULL, PURCHASE_COUNT × frame.buckets doubles: mean nodes held. */
void rating_rate(const struct rating_frame *f, struct market *m, const struct usage *u,
                 struct bill *b, double *spend_units, double *nodes);

/* One priced piece of a record, for usage.csv and the tests: rating_rate adds up exactly these. */
struct charge_piece {
    int64_t from_us, to_us;
    money_t per_hour;
    money_t amount; /* all clock hours of the piece */
};
/* Calls piece for every stretch of constant price, in order; returns the record's total. */
money_t rating_pieces(struct market *m, const struct usage *u, int64_t start_unix_s,
                      void (*piece)(void *context, const struct charge_piece *p), void *context);
/* True when the record is free under the first-hour rule. */
bool rating_is_free(struct market *m, const struct usage *u);

#endif
