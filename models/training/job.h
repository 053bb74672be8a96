/* SPDX-License-Identifier: GPL-3.0-or-later
 * A training job in one world: a gang that boots, restores, works, writes checkpoints, loses work
 * and starts again, moved between pools by its policy. The rules are in docs/models.md, "Training".
 */
#ifndef FLEETCAST_MODELS_JOB_H
#define FLEETCAST_MODELS_JOB_H

#include "models/fleet/work.h"
#include "models/training/training_plan.h"

#include <stdbool.h>

struct job;

/* Adds the job's crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct job *job_new(const struct training_plan *plan, struct fleet *fleet);
void job_free(struct job *j);

/* After fleet_begin: draws what is drawn once a world and schedules the submission. False when a
 * drawn number is impossible (an infinite amount of work, …). */
bool job_begin(struct job *j, const double *drawn);
/* A plan that awaits: the job is submitted, now. */
void job_start(struct job *j);
/* … or never will be. */
void job_forgo(struct job *j);
bool job_done(const struct job *j);
/* At the horizon, with the calendar standing there: cuts the job, or makes it go on on-demand when
 * its spec says so; then job_done tells when it is over. */
void job_horizon(struct job *j);
/* The project is cancelled: as the horizon cuts, but for good. */
void job_cancel(struct job *j);
struct work_result job_result(const struct job *j);

#endif
