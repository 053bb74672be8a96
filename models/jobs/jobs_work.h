/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: jobs` and `kind: trials`, as the simulator drives them. */
#ifndef FLEETCAST_MODELS_JOBS_WORK_H
#define FLEETCAST_MODELS_JOBS_WORK_H

#include "models/fleet/work.h"
#include "models/jobs/jobs_plan.h"

extern const struct work_kind work_jobs, work_trials;

/* The plan of a workload of either kind; aborts for one of another kind. */
const struct jobs_plan *jobs_plan_of(const struct work_plan *plan);

#endif
