/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long it takes until a failure of hardware is noticed, and from then on until something or
 * somebody has acted.
 *
 * Luck: both are drawn by the failed node's launch, from sources named like those of its other
 * luck. For models/training only. */
#ifndef FLEETCAST_MODELS_FAILURE_RESPONSE_H
#define FLEETCAST_MODELS_FAILURE_RESPONSE_H

#include "models/training/training_plan.h"

#include <stdbool.h>
#include <stdint.h>

/* In one world. */
struct failure_response {
    struct distribution detect, automatic, human; /* seconds */
    double p_human;
};

/* False when a drawn number is impossible. Zero where the plan has no failures. */
bool failure_response_draw(struct failure_response *r, const struct training_plan *plan,
                           const double *drawn);
/* Of the node of this slot, whose hardware has failed. */
double failure_detect_s(const struct failure_response *r, const struct training_plan *plan,
                        const struct crew *c, uint32_t slot);
double failure_respond_s(const struct failure_response *r, const struct training_plan *plan,
                         const struct crew *c, uint32_t slot);

#endif
