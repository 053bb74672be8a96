/* SPDX-License-Identifier: GPL-3.0-or-later
 * Items worked off in one world, by as many independent nodes as the strategy says, each for
 * itself. A node takes a chunk, works on it and writes it; if it vanishes before, the chunk goes
 * back to those that nobody has. Nodes for which nothing is left are given back; none are asked for
 * that would come when those at work have done the rest. */
#ifndef FLEETCAST_MODELS_ITEMS_RUN_H
#define FLEETCAST_MODELS_ITEMS_RUN_H

#include "models/jobs/items_plan.h"

#include <stdbool.h>

struct items_run;

/* Adds its crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct items_run *items_run_new(const struct items_plan *plan, struct fleet *fleet);
void items_run_free(struct items_run *r);
/* The rest as in work.h. */
bool items_run_begin(struct items_run *r, const double *drawn);
void items_run_start(struct items_run *r);
void items_run_forgo(struct items_run *r);
bool items_run_done(const struct items_run *r);
void items_run_horizon(struct items_run *r);
void items_run_cancel(struct items_run *r);
struct work_result items_run_result(const struct items_run *r);

#endif
