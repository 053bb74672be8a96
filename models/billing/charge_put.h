/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where an amount beside nodes enters a bill: its line, the total, the month, cash, the timeline.
 */
#ifndef FLEETCAST_MODELS_CHARGE_PUT_H
#define FLEETCAST_MODELS_CHARGE_PUT_H

#include "models/billing/charge_note.h"
#include "models/billing/other_charges.h"

/* A bill under way. */
struct charge_target {
    const struct rating_frame *frame;
    double *spend_units; /* may be NULL */
    struct bill *bill;
    size_t item;                           /* line */
    int64_t discount;                      /* taken off at once, in parts of SHARE_WHOLE … */
    size_t discount_item;                  /* … on this line */
    size_t row;                            /* whose bill it is, for notes */
    const struct charge_sink *sink;        /* told of every amount; may be NULL */
    const struct charge_measure *measures; /* what is bought, for the sink … */
    size_t measure_count;                  /* … in so many parts; 0: an amount and no more */
};

/* An amount for [from_us, to_us], which lies in one month and on one side of the horizon. */
void charge_put(const struct charge_target *t, int64_t from_us, int64_t to_us, money_t amount);
/* `count` equal stays at a rate, each rounded once. Nothing when to <= from. */
void charge_hold(const struct charge_target *t, money_t per_hour, int64_t from_us, int64_t to_us,
                 int64_t count);
/* An amount for each calendar month that [from_us, to_us) meets, of parts of one the share by time.
 */
void charge_by_month(const struct charge_target *t, money_t per_month, int64_t from_us,
                     int64_t to_us);
/* An amount spread evenly over [from_us, to_us]. */
void charge_spread(const struct charge_target *t, money_t amount, int64_t from_us, int64_t to_us);
/* Currency units to money; what cannot be counted marks the bill. */
money_t charge_money(const struct charge_target *t, double units);

#endif
