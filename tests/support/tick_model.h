/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tick model in which the policies of "Can't Be Late" (NSDI 2024) were published: time in
 * ticks, a tick is paid whole, nothing is lost in a preemption but the overhead of the next launch,
 * on-demand is always there. It drives the program's own policies; it is a test, no model of the
 * market. */
#ifndef FLEETCAST_TESTS_TICK_MODEL_H
#define FLEETCAST_TESTS_TICK_MODEL_H

#include "engine/text.h"
#include "models/policies/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tick_case {
    const struct policy *policy;
    const void *params;
    bool overridden; /* the published simulator's last safety check, outside the policy, is on */
    double work_s, deadline_s, overhead_s, tick_s;
    double on_demand_per_hour, spot_per_hour;
    const int *nodes; /* by tick from the start: spot is there when above 0 */
    size_t ticks;     /* known */
};

struct tick_outcome {
    bool finished; /* before the known ticks ended */
    double cost;
    double finish_s; /* rounded up to a tick */
    size_t spot_ticks, on_demand_ticks, idle_ticks;
    size_t spot_launches, on_demand_launches, preemptions;
};

/* timeline: run lengths, such as "10.2S3.261D"; '.' idle, S spot, D on-demand; initialised by the
 * caller. */
struct tick_outcome tick_model_run(const struct tick_case *c, struct text *timeline);

/* Parameters as the reader would leave them for a policy of this name, margins 0; slice_s of
 * time-sliced, hysteresis of uniform-progress. The caller frees. */
void *tick_model_params(const struct policy *policy, double slice_s, bool hysteresis);
const struct policy *tick_model_policy(const char *name); /* NULL: none of this name */

#endif
