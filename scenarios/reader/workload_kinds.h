/* SPDX-License-Identifier: GPL-3.0-or-later
 * The kinds of workloads: one row each. A row NAME stands for `work_NAME` (struct work_kind) and
 * `NAME_schema`, its keys. */
#ifndef FLEETCAST_SCENARIOS_WORKLOAD_KINDS_H
#define FLEETCAST_SCENARIOS_WORKLOAD_KINDS_H

#include "engine/schema.h"
#include "models/fleet/work.h"
#include "models/inference/inference_work.h"
#include "models/inference/shared_fleet_work.h"
#include "models/jobs/items_work.h"
#include "models/jobs/jobs_work.h"
#include "models/training/training_work.h"
#include "models/usage/notebook_work.h"
#include "models/usage/usage_work.h"

#define WORKLOAD_KIND_ROWS(ROW)                                                                    \
    ROW(training)                                                                                  \
    ROW(usage)                                                                                     \
    ROW(jobs)                                                                                      \
    ROW(trials)                                                                                    \
    ROW(inference)                                                                                 \
    ROW(notebooks)                                                                                 \
    ROW(batch)                                                                                     \
    ROW(shared_fleet)

extern const struct work_kind *const workload_kinds[]; /* NULL-terminated */
extern const struct schema *const workload_variants[]; /* their schemas, same order */

#endif
