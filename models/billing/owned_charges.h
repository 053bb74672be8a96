/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hardware of one's own on the bill of all workloads together: capital, power by use, staff and
 * colocation by time. The capital is signed and paid at the start; it is written off in a straight
 * line from when it is available, and of what is not written off when the plan last uses it, at the
 * horizon or after it, the plan bears all but the stated `reuse`. Neither the cloud's support nor
 * tax is taken on any of it. */
#ifndef FLEETCAST_MODELS_OWNED_CHARGES_H
#define FLEETCAST_MODELS_OWNED_CHARGES_H

#include "models/billing/bill.h"
#include "models/commitments/owned_keys.h"
#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stddef.h>

/* What a strategy owns in one pool. */
struct owned_hardware {
    int pool;
    const struct owned_spec *spec;
    int64_t from_us, life_us; /* available, and written off after so long */
};

/* One world of one strategy. */
struct owned_world {
    const struct rating_frame *frame;
    const struct usage_log *log;
    const double *drawn;
    double *spend_units; /* frame.buckets, or NULL */
};

/* Adds all of it to a bill. used: scratch, with month and other of the frame; by_month may be NULL.
 */
void owned_charges_rate(const struct owned_hardware *h, const struct owned_world *w,
                        struct bill *used, struct bill *bill);

#endif
