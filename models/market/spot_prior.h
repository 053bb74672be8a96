/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is believed of a pool's availability when nobody states one: the threshold of the hidden
 * process is Normal(mean, sd), by the bucket of the provider's Spot Instance Advisor. The Advisor
 * counts the share of *launched* instances that were reclaimed, most of which lived minutes or
 * hours; read as a hazard per month it would be 300 to 4,500 times too low. So only the order of
 * the buckets is used: the top bucket was measured (27 GPU series, V100 and K80, 2022-23), the
 * others scale its loss rate by ln(1 - share) and carry a wide sd.
 *
 * Availability is mostly regional: 80 % of the variance is one score per (family, region), 20 % one
 * per (family, zone); both are inputs, drawn once a replication. */
#ifndef FLEETCAST_MODELS_SPOT_PRIOR_H
#define FLEETCAST_MODELS_SPOT_PRIOR_H

#include "models/catalogue/catalogue.h"

#include <stdbool.h>

#define SPOT_PRIOR_REGION_SHARE 0.8 /* of the variance */

struct spot_prior {
    double mean, sd; /* of the threshold: availability = Phi(threshold) */
};

struct spot_prior spot_prior_of(enum advisor_bucket bucket);
/* Threshold from the two standard normal scores; (0, 0) is the median. */
double spot_prior_threshold(struct spot_prior prior, double region_score, double zone_score);
/* Availability at probability p of the prior. */
double spot_prior_availability(struct spot_prior prior, double p);
/* True where no public trace supports the prior: everything but P2 and P3 in the top bucket. */
bool spot_prior_extrapolated(enum advisor_bucket bucket, const char *family);
/* True for the families whose availability was measured (V100 and K80): P2 and P3. */
bool spot_prior_measured_family(const char *family);

#endif
