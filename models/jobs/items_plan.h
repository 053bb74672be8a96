/* SPDX-License-Identifier: GPL-3.0-or-later
 * Items to be worked off under one strategy, resolved before any world is drawn. Read only
 * afterwards. */
#ifndef FLEETCAST_MODELS_ITEMS_PLAN_H
#define FLEETCAST_MODELS_ITEMS_PLAN_H

#include "models/fleet/fill_plan.h"
#include "models/fleet/work.h"
#include "models/jobs/items_keys.h"

struct items_plan {
    struct work_plan work; /* first */
    const struct items_spec *spec;
    struct fill_plan fill;
    const struct number *rate[WORK_MAX_POOLS]; /* per second, of a node of each pool */
    double planned_items;
    double boot_mean_s; /* as planning sees it */
};

/* What is wrong is told at its key, or at the strategy: no rate of a type, no nodes, times that
 * cannot be, more chunks than can be simulated. False then. */
bool items_plan_make(struct items_plan *plan, const struct work_request *request);

#endif
