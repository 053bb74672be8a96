/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: inference`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_INFERENCE_WORK_H
#define FLEETCAST_MODELS_INFERENCE_WORK_H

#include "models/fleet/work.h"
#include "models/inference/service_plan.h"

extern const struct work_kind work_inference;
/* Of a plan that this kind made. */
const struct service_plan *service_plan_of(const struct work_plan *plan);

#endif
