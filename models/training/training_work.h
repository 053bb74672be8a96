/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: training`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_TRAINING_WORK_H
#define FLEETCAST_MODELS_TRAINING_WORK_H

#include "models/fleet/work.h"
#include "models/training/training_plan.h"

extern const struct work_kind work_training;

/* The plan of a training workload; aborts for one of another kind. */
const struct training_plan *training_plan_of(const struct work_plan *plan);

#endif
