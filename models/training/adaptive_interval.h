/* SPDX-License-Identifier: GPL-3.0-or-later
 * `every: adaptive`: the rate of losses as it looks after what was seen. What is uncertain is its
 * ratio to the planned one: a gamma variable of mean 1 and shape a, so that the plan counts as much
 * as a losses that came in their time. After k losses where the plan expected L its mean is
 *
 *     (a + k) / (a + L)
 *
 * (conjugate prior of a Poisson rate: Gelman et al., Bayesian Data Analysis, 3rd ed., section 2.6).
 * a = 1/4: a plan that is right costs 1 % more than if it were trusted in a job of five losses, 0.1
 * % in one of a hundred; one wrong by a hundred either way costs 20 % and 2 % more than the right
 * one. A pure function of what the job has been through; nobody peeks. */
#ifndef FLEETCAST_MODELS_ADAPTIVE_INTERVAL_H
#define FLEETCAST_MODELS_ADAPTIVE_INTERVAL_H

#include <stdint.h>

/* How many losses the plan counts for. */
#define ADAPTIVE_PLAN_LOSSES 0.25

/* Of one site, in one world so far. */
struct loss_record {
    double expected; /* losses that the plan expected in the time run so far */
    uint32_t losses; /* that took work */
};

/* Losses a second, where the plan says planned_per_s. */
double adaptive_loss_rate(const struct loss_record *seen, double planned_per_s);

/* After how many checkpoints at this distance the rate is looked at again, if nothing is lost
 * before: when as much has been seen again as before, the plan counted in. At least 1; so the
 * number of looks grows with the logarithm of the time run. */
uint64_t adaptive_look_after(const struct loss_record *seen, double planned_per_s, double period_s);

#endif
