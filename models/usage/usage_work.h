/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: usage`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_USAGE_WORK_H
#define FLEETCAST_MODELS_USAGE_WORK_H

#include "models/fleet/work.h"
#include "models/usage/usage_plan.h"

extern const struct work_kind work_usage;

/* The plan of a usage workload; aborts for one of another kind. */
const struct usage_plan *usage_plan_of(const struct work_plan *plan);

#endif
