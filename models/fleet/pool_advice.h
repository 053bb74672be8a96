/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rebalance recommendations (models/market/rebalance.h) as the crews of a pool hear of them: before
 * a fall of the pool's capacity below what is held, all of them, since nobody knows who falls;
 * before a node's own end, its crew; and in vain. For models/fleet only. */
#ifndef FLEETCAST_MODELS_POOL_ADVICE_H
#define FLEETCAST_MODELS_POOL_ADVICE_H

#include "models/fleet/fleet_pool.h"

/* For a new world: the pool's false alarms. */
void pool_advice_begin(struct fleet_pool *p);
/* The pool's capacity changes next then. */
void pool_advice_change(struct fleet_pool *p, double change_s);
/* The node of this slot, just launched, will be struck then. */
void pool_advice_strike(struct crew *c, uint32_t slot, double strike_s);

#endif
