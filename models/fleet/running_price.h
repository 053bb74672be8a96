/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a gang adds to the hourly bill of its strategy, beside what runs now and what is signed: for
 * policies that choose between ways to buy. Everything in it is known to whoever watches the
 * account: nodes held or asked for, prices now, commitments at planned savings-plan rates, and what
 * others in the account run at this hour by plan. */
#ifndef FLEETCAST_MODELS_RUNNING_PRICE_H
#define FLEETCAST_MODELS_RUNNING_PRICE_H

#include "models/commitments/commitment_plan.h"
#include "models/fleet/fleet.h"

/* In the currency, for the whole gang. */
struct gang_price {
    double per_hour;      /* less what commitments cover that are paid anyway */
    double list_per_hour; /* at the price in force */
};

struct running_price; /* one fleet's */

/* The plan, with something to cover, is borrowed. NULL when out of memory. */
struct running_price *running_price_new(const struct commitment_plan *plan);
void running_price_free(struct running_price *r);

/* Of this crew's whole gang, as if it held nothing itself, now. crews: all of the fleet. */
struct gang_price running_price_of(struct running_price *r, const struct crew *c,
                                   struct crew *const *crews, size_t crew_count);
/* When the next commitment begins or ends after now_s; +infinity: none does. */
double running_price_change_s(const struct running_price *r, double now_s);

#endif
