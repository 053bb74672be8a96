/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved capacity on the bill: each On-Demand Capacity Reservation is paid by time at the
 * on-demand price in force, whether instances run in it or not. What runs in it is charged with
 * the nodes; this charges the rest. Of several reservations of one pool the first of the scenario
 * is used first. Cash and amortised cost are as it is used; nothing is charged after the horizon.
 *
 * A rate is that of all idle instances together, rounded once per (rate, clock hour). */
#ifndef FLEETCAST_MODELS_RESERVATION_CHARGES_H
#define FLEETCAST_MODELS_RESERVATION_CHARGES_H

#include "models/billing/bill.h"
#include "models/billing/matched_hours.h"
#include "models/commitments/reservation_plan.h"
#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stdint.h>

struct reservation_charges; /* one thread's memory */

/* NULL when out of memory. The plan is borrowed. */
struct reservation_charges *reservation_charges_new(const struct reservation_plan *plan);
void reservation_charges_free(struct reservation_charges *r);

/* At most so often a stretch of idle capacity is rounded. */
static inline int64_t reservation_pieces(int64_t from_us, int64_t to_us)
{
    return 2 + (to_us - from_us) / HOUR_US;
}

/* What one reservation did. */
struct reservation_use {
    int64_t inside_us, idle_us; /* instance-microseconds */
    money_t inside, idle;       /* at on-demand prices, before commitments */
};

/* Charges what is idle, before until_us, to the bill, its discount to the line of `discount` (may
 * be NULL), and says in uses what each reservation did, in *pieces how often was rounded, in
 * *discounted (may be NULL without discount) what was taken off. spend_units as in rating_rate.
 * False when memory is out. */
bool reservation_charges_rate(struct reservation_charges *r, const struct rating_frame *f,
                              struct market *m, const struct usage_log *log, int64_t until_us,
                              const struct covered_discount *discount, struct bill *bill,
                              double *spend_units, struct reservation_use *uses, int64_t *pieces,
                              money_t *discounted);

#endif
