/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rules of rating, apart from where prices come from: what is charged for one usage record
 * whose price is told by any price source. rating.h puts the market behind it. */
#ifndef FLEETCAST_MODELS_RATING_CORE_H
#define FLEETCAST_MODELS_RATING_CORE_H

#include "models/billing/bill.h"

/* A launch on demand is charged for 60 s at least; a spot launch that the cloud ends before one
 * hour is not charged (EC2 user guide, "On-Demand Instances", 2023-06-15; "Billing for interrupted
 * Spot Instances"). */
#define RATING_MINIMUM_US    (60 * MICROSECONDS)
#define RATING_FIRST_HOUR_US HOUR_US

struct price_source {
    /* Price per hour in force at at_us, >= 0; *until_us: its next change, > at_us (INT64_MAX:
     * none). */
    money_t (*price_at)(void *context, int64_t at_us, int64_t *until_us);
    void *context;
};

struct rating_terms {
    enum purchase purchase;
    bool first_hour_free; /* spot only */
    struct price_source price;
};

/* One priced piece of a record, for usage.csv and the tests: rating_rate adds up exactly these. */
struct charge_piece {
    int64_t from_us, to_us;
    money_t per_hour;
    money_t amount; /* all clock hours of the piece; the last piece of a short launch on demand
                       holds the rest of its minimum too */
};

/* True when the record is free under the first-hour rule: exactly one hour is billed. */
bool rating_core_is_free(const struct rating_terms *t, const struct usage *u);
/* As rating_rate and rating_pieces in rating.h. */
void rating_core_rate(const struct rating_frame *f, const struct rating_terms *t,
                      const struct usage *u, struct bill *b, double *spend_units, double *nodes);
money_t rating_core_pieces(const struct rating_terms *t, const struct usage *u,
                           int64_t start_unix_s,
                           void (*piece)(void *context, const struct charge_piece *p),
                           void *context);

#endif
