/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random worlds for the tests of rating, exact price steps, and a plain reference: a loop over the
 * clock hours in 128 bits. */
#ifndef FLEETCAST_TESTS_RATING_WORLD_H
#define FLEETCAST_TESTS_RATING_WORLD_H

#include "models/billing/rating_core.h"

enum { WORLD_STEPS = 400, WORLD_MONTHS = 12, WORLD_BUCKETS = 37, WORLD_RECORDS = 40 };

struct price_steps {
    size_t count;
    int64_t from_us[WORLD_STEPS]; /* the first is 0 */
    money_t price[WORLD_STEPS];
};
money_t price_steps_at(void *context, int64_t at_us, int64_t *until_us);
/* first_hour_free for spot */
struct rating_terms price_steps_terms(struct price_steps *s, enum purchase purchase);

struct rating_world {
    struct price_steps steps;
    struct rating_frame frame;
    int64_t month_start_us[WORLD_MONTHS];
    struct usage record[WORLD_RECORDS];
    enum purchase purchase[WORLD_RECORDS];
};
/* The frame points into the world: do not copy it afterwards. */
void rating_world_set_frame(struct rating_world *w, int64_t start_unix_s, int64_t horizon_us);
void draw_rating_world(uint64_t *random, struct rating_world *w);
/* Shares the record's length at random. */
void draw_activities(uint64_t *random, struct usage *u);

struct plain_charge {
    money_t total, inside; /* inside the horizon */
    money_t month[WORLD_MONTHS];
};
struct plain_charge rate_plainly(const struct rating_world *w, enum purchase purchase,
                                 const struct usage *u, bool free_rule);

struct bill_memory {
    struct bill bill;
    money_t month[WORLD_MONTHS], by_month[BILL_ROWS * WORLD_MONTHS];
};
struct bill *bill_memory_clear(struct bill_memory *m, const struct rating_frame *f);
/* Adds the record's charge to the bill. */
void rate_one(struct rating_world *w, enum purchase purchase, const struct usage *u,
              struct bill *b);

#endif
