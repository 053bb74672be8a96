/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage without a job under one strategy, resolved before any world is drawn: when how many nodes
 * are needed, and which pools they come from in which order. Read only afterwards. */
#ifndef FLEETCAST_MODELS_USAGE_PLAN_H
#define FLEETCAST_MODELS_USAGE_PLAN_H

#include "models/fleet/fill_plan.h"
#include "models/fleet/work.h"
#include "models/usage/need.h"

#include <stdbool.h>

struct usage_plan {
    struct work_plan work; /* first */
    const struct usage_spec *spec;
    struct need_plan need;
    struct fill_plan fill;
    double planned_node_s;            /* needed inside the horizon, as planning sees it; … */
    uint32_t least_nodes, most_nodes; /* … at a time */
};

/* What is wrong is told at its key, or at the strategy: no instance or way to buy stated, `fill`
 * beside `buy` or `policy`, a policy that moves a gang, `nodes` stated for this workload, more
 * nodes than can be simulated. False when anything failed. */
bool usage_plan_make(struct usage_plan *plan, const struct work_request *request);

#endif
