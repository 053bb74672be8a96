/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many jobs in one world: they come, wait in a queue, run on nodes of the first way to buy that has
 * room for them, lose nodes, go on from their checkpoints, and end. The rules are in
 * docs/models.md, "Jobs". */
#ifndef FLEETCAST_MODELS_JOBS_RUN_H
#define FLEETCAST_MODELS_JOBS_RUN_H

#include "models/fleet/work.h"
#include "models/jobs/jobs_plan.h"

#include <stdbool.h>

struct jobs_run;

/* Adds its crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct jobs_run *jobs_run_new(const struct jobs_plan *plan, struct fleet *fleet);
void jobs_run_free(struct jobs_run *r);

/* After fleet_begin: schedules the beginning, unless the plan awaits. False when a drawn number is
 * impossible. */
bool jobs_run_begin(struct jobs_run *r, const double *drawn);
/* A plan that awaits: it begins now, or never. */
void jobs_run_start(struct jobs_run *r);
void jobs_run_forgo(struct jobs_run *r);
bool jobs_run_done(const struct jobs_run *r);
/* With the calendar standing there: what runs is cut. */
void jobs_run_horizon(struct jobs_run *r);
void jobs_run_cancel(struct jobs_run *r);
struct work_result jobs_run_result(const struct jobs_run *r);

#endif
