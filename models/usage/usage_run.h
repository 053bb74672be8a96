/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage without a job in one world: as many independent nodes as the clock says, from the pools of
 * its plan in their order. A node that the cloud takes back is asked for again; what is not needed
 * any longer is given back at once. */
#ifndef FLEETCAST_MODELS_USAGE_RUN_H
#define FLEETCAST_MODELS_USAGE_RUN_H

#include "models/fleet/work.h"
#include "models/usage/usage_plan.h"

#include <stdbool.h>

struct usage_run;

/* Adds its crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct usage_run *usage_run_new(const struct usage_plan *plan, struct fleet *fleet);
void usage_run_free(struct usage_run *u);

/* After fleet_begin: schedules the first node's time. False when memory is out. */
bool usage_run_begin(struct usage_run *u, const double *drawn);
bool usage_run_over(const struct usage_run *u);
/* At the horizon, with the calendar standing there: ends what still runs. */
void usage_run_horizon(struct usage_run *u);
/* The project is cancelled, now. */
void usage_run_cancel(struct usage_run *u);
struct work_result usage_run_result(const struct usage_run *u);

#endif
