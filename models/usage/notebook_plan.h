/* SPDX-License-Identifier: GPL-3.0-or-later
 * Machines that people work on under one strategy, resolved before any world is drawn. Read only
 * afterwards. */
#ifndef FLEETCAST_MODELS_NOTEBOOK_PLAN_H
#define FLEETCAST_MODELS_NOTEBOOK_PLAN_H

#include "models/fleet/fill_plan.h"
#include "models/fleet/work.h"
#include "models/usage/notebook_keys.h"

struct notebook_plan {
    struct work_plan work; /* first */
    const struct notebook_spec *spec;
    struct fill_plan fill; /* of each machine: each entry takes it, or leaves it to the next */
    int64_t start_unix_s;
    double horizon_s;
    struct number stop_when_idle;            /* seconds; given: machines are stopped after it */
    double planned_sessions, planned_node_s; /* worked on, in all */
};

/* What is wrong is told at its key, or at the strategy. False then. */
bool notebook_plan_make(struct notebook_plan *plan, const struct work_request *request);

#endif
