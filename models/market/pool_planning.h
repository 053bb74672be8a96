/* SPDX-License-Identifier: GPL-3.0-or-later
 * One pool of the plan: where its price and the parameters of its capacity come from, and what had
 * to be assumed. */
#ifndef FLEETCAST_MODELS_POOL_PLANNING_H
#define FLEETCAST_MODELS_POOL_PLANNING_H

#include "models/market/market_plan.h"

/* Fill in a pool of which only the info is set. What is wrong is told, at `where` unless it lies in
 * the spec; false then. */
bool pool_planning_spot(struct market_plan *p, struct pool_plan *pool, struct place where);
bool pool_planning_on_demand(struct market_plan *p, struct pool_plan *pool, struct place where);

#endif
