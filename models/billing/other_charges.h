/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes, on the bill of one world: storage, data transfer, NAT, fees, discounts,
 * support, tax. A kind of charge is one row of a table (other_charges.c): how it is found from the
 * usage records and the results of the work. Every amount goes through one place that adds it to
 * line, total, month, cash and timeline at once, so that they add up to the nano-unit.
 *
 * What lasts is charged by time at an hourly rate that is rounded once; an amount is rounded once
 * per stay (a node's volume, a data set), and cuts at months and the horizon are differences of its
 * running total. */
#ifndef FLEETCAST_MODELS_OTHER_CHARGES_H
#define FLEETCAST_MODELS_OTHER_CHARGES_H

#include "models/billing/bill.h"
#include "models/billing/charge_note.h"
#include "models/billing/charge_plan.h"
#include "models/fleet/usage.h"
#include "models/fleet/work.h"

#include <stdbool.h>

/* Shares are counted in parts of a billion. */
#define SHARE_WHOLE INT64_C(1000000000)

/* What was simulated: one strategy in one world. */
struct charge_world {
    const struct rating_frame *frame; /* others = the plan's count */
    struct market *market;
    const struct usage_log *log;
    const struct work_result *works;      /* by workload */
    const struct commitment *commitments; /* what they cost in this world; for the shares alone */
    size_t commitment_count;
    const int *windows; /* pools of capacity blocks that it has bought … */
    size_t window_count;
    int64_t signed_until_us; /* … before this */
    const double *submit_s;  /* by workload */
    const double *drawn;
    double *spend_units;            /* frame.buckets, or NULL */
    const struct charge_sink *sink; /* told of every amount but discounts on nodes; may be NULL */
};

struct other_charges; /* one thread's memory */

/* NULL when out of memory. The plan is borrowed. months: of the frame. */
struct other_charges *other_charges_new(const struct charge_plan *plan, size_t months);
void other_charges_free(struct other_charges *o);

/* Told as a share of the rest of the bill (charge_note.h). */
bool charge_is_share(enum charge_kind kind);

/* bills: one per workload, then the shared one; the workloads' hold the charges of all records.
 * Adds all but support and tax. False when memory is out. */
bool other_charges_rate(struct other_charges *o, const struct charge_world *w, struct bill *bills);
/* The discount on on-demand nodes of a pool in the world rated last, in parts of SHARE_WHOLE. */
const int64_t *other_charges_discounts(const struct other_charges *o);
/* … and what it took off all of them. */
money_t other_charges_discounted(const struct other_charges *o);
/* Last, after commitments: adds what agreements take off and miss, support, what credits pay, and
 * tax, in this order. False when memory is out. */
bool other_charges_shares(struct other_charges *o, const struct charge_world *w,
                          struct bill *bills);

/* For shares of several bills, which differ in what commitments do alone: after other_charges_rate
 * keeps what the shares go by (false when memory is out) …*/
bool other_charges_hold(struct other_charges *o);
/* … and goes back there, before each further other_charges_shares. */
void other_charges_again(struct other_charges *o);

#endif
