/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a plan takes and costs at the least in a world, before it is simulated. True bounds: every
 * step errs towards less, and a plan of which nothing is sure has 0.
 *
 * - Time. Training takes no less than its work alone under the inputs drawn there (`rework` and
 *   evaluations included), nothing being lost, waited for or started; an elastic job no less than
 *   on the count of nodes on which it is fastest.
 * - Cost. The nodes of a gang are held for all of that time; of an elastic job k nodes for the time
 *   that the work takes on k, at the k at which that is least. Each node second costs no less than
 *   the least price in this world, from the start to the horizon, of any pool that the plan buys
 *   from. No bound: on spot whose first hour is free when it is interrupted (luck could make any
 *   node free), in blocks, reservations and owned hardware; where commitments, an account, or
 *   discounts and credits have a part in the bill; of work that the horizon does not cut, or of
 *   other kinds. Storage, transfer, fees and taxes are not counted.
 *
 * A bound is of the whole work. A world that is cut off costs less so far; but a plan with such
 * worlds can be chosen only if its value is the same whatever they become. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_BOUNDS_H
#define FLEETCAST_SCENARIOS_SEARCH_BOUNDS_H

#include "scenarios/study/study.h"

#include <stdbool.h>

struct market_bounds; /* one study's market in one world after another */

/* NULL when memory is out. The study is borrowed. */
struct market_bounds *market_bounds_new(const struct study *study);
void market_bounds_free(struct market_bounds *m);
/* Draws a world. False where none can be: then nothing is bounded in it. */
bool market_bounds_begin(struct market_bounds *m, uint32_t world);

/* Seconds from the start to the end of a workload of the strategy. */
double least_end_s(const struct market_bounds *m, size_t strategy, size_t workload);
/* Of all its workloads, in the scenario's currency. */
double least_cost(struct market_bounds *m, size_t strategy);

#endif
