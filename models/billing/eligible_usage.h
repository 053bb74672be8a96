/* SPDX-License-Identifier: GPL-3.0-or-later
 * On-demand usage that each commitment could have covered, whether it did or another came first:
 * what its coverage is a share of. */
#ifndef FLEETCAST_MODELS_ELIGIBLE_USAGE_H
#define FLEETCAST_MODELS_ELIGIBLE_USAGE_H

#include "models/billing/matched_hours.h"
#include "models/commitments/commitment_plan.h"
#include "models/fleet/usage.h"

#include <stdbool.h>
#include <stdint.h>

struct eligible_usage; /* read only after making */

/* NULL when out of memory. The plan is borrowed. */
struct eligible_usage *eligible_usage_new(const struct commitment_plan *plan);
void eligible_usage_free(struct eligible_usage *e);

/* Instance-microseconds by commitment: time on demand of what it can cover by its terms, in the
 * clock hours in which it is in force, if only in part (it covers in whole hours, so that it never
 * covered more). After the horizon too. */
void eligible_usage_sum(const struct eligible_usage *e, const struct usage_log *log,
                        int64_t start_unix_s, int64_t *sum_us);

/* The same of the last walk, where capacity is reserved: what runs in it and what is idle can be
 * covered as well, but not by zonal Reserved Instances. */
void eligible_usage_sum_walked(const struct eligible_usage *e, const struct matched_hours *h,
                               int64_t start_unix_s, int64_t *sum_us);

#endif
