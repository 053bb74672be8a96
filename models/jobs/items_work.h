/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: batch`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_ITEMS_WORK_H
#define FLEETCAST_MODELS_ITEMS_WORK_H

#include "models/fleet/work.h"
#include "models/jobs/items_plan.h"

extern const struct work_kind work_batch;

/* The plan of such a workload; aborts for one of another kind. */
const struct items_plan *items_plan_of(const struct work_plan *plan);

#endif
