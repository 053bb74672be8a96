/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes that several services share, under one strategy: `kind: fleet`. The nodes, and the bill,
 * are this workload's; services stand on them as tenants, and have no pools of their own. */
#ifndef FLEETCAST_MODELS_SHARED_FLEET_PLAN_H
#define FLEETCAST_MODELS_SHARED_FLEET_PLAN_H

#include "models/fleet/fill_plan.h"
#include "models/fleet/work.h"
#include "models/inference/shared_fleet_keys.h"

struct shared_fleet_plan {
    struct work_plan work; /* first */
    const struct shared_fleet_spec *spec;
    struct fill_plan fill;
    uint32_t least_nodes, most_nodes;
};

/* What is wrong is told at its key. False when anything failed. */
bool shared_fleet_plan_make(struct shared_fleet_plan *plan, const struct work_request *request);

/* The fleet of this name among plans that are made already; NULL: there is none, or its plan could
 * not be made, which was told then. */
const struct shared_fleet_plan *shared_fleet_find(const struct work_request *request,
                                                  const char *name);

#endif
