/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: notebooks`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_NOTEBOOK_WORK_H
#define FLEETCAST_MODELS_NOTEBOOK_WORK_H

#include "models/fleet/work.h"
#include "models/usage/notebook_plan.h"

extern const struct work_kind work_notebooks;

/* The plan of such a workload; aborts for one of another kind. */
const struct notebook_plan *notebook_plan_of(const struct work_plan *plan);

#endif
