/* SPDX-License-Identifier: GPL-3.0-or-later
 * What hindsight could have done in one world: the bound of hindsight.h over the market's grid of
 * ten minutes, with the world's own capacity, prices and amount of work.
 *
 * Every step errs towards less: spot is there in a tick when the gang fits at any time of it, at
 * the least price of it, whatever other workloads hold; boot and restore take the least they can
 * (of a variate with a spread, its 10^-9 quantile); nothing is lost but that, and no checkpoint is
 * written; what may be interrupted in its first hour is free, where that is the rule of the pool.
 * Where nodes have interruptions of their own too, and that rule holds, luck alone could make any
 * of them free: then there is no bound. */
#ifndef FLEETCAST_SCENARIOS_ORACLE_WORLD_H
#define FLEETCAST_SCENARIOS_ORACLE_WORLD_H

#include "scenarios/study/study.h"

struct oracle_room; /* one thread's memory for it */

/* NULL when out of memory. The study is borrowed. */
struct oracle_room *oracle_room_new(const struct study *study);
void oracle_room_free(struct oracle_room *room);

/* By gang of the study's oracle plan: the least cost of its nodes in the market's current world, in
 * the currency; NaN: there is no bound, or no plan is in time. */
void oracle_world(struct oracle_room *room, struct market *market, const double *drawn,
                  double *bounds);

#endif
