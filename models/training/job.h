/* SPDX-License-Identifier: GPL-3.0-or-later
 * A training job in one world: a gang that boots, restores, works, writes checkpoints, loses work
 * and starts again, moved between pools by its policy. The rules are in docs/models.md, "Training".
 */
#ifndef FLEETCAST_MODELS_JOB_H
#define FLEETCAST_MODELS_JOB_H

#include "models/fleet/fleet.h"
#include "models/training/training_plan.h"

#include <stdbool.h>
#include <stdint.h>

/* What became of the job. Times from the scenario's start. */
struct job_result {
    bool finished;
    double end_s;                  /* of the work; the horizon when not finished */
    double work_s;                 /* useful seconds the whole job needs */
    double kept_s;                 /* useful seconds kept at the end */
    uint64_t checkpoints;          /* complete ones */
    const double *checkpoint_at_s; /* when the first min(checkpoints, `keep`) of them were complete;
                                      rising; borrowed until the next world */
    uint32_t restarts;             /* restores begun after a loss or a switch */
    uint32_t losses;               /* times a working, restoring or booting gang lost nodes */
    uint32_t switches;             /* planned moves to another pool */
    double idle_s;                 /* from submission to the end without a single node held */
    uint32_t launches;             /* of nodes */
    uint32_t interruptions;        /* of nodes, by the cloud */
};

struct job;

/* Adds the job's crews to the fleet. NULL when out of memory. The plan is borrowed. */
struct job *job_new(const struct training_plan *plan, struct fleet *fleet);
void job_free(struct job *j);

/* After fleet_begin: draws what is drawn once a world and schedules the submission. False when a
 * drawn number is impossible (an infinite amount of work, …). */
bool job_begin(struct job *j, const double *drawn);
bool job_done(const struct job *j);
/* At the horizon, with the calendar standing there: cuts the job, or makes it go on on-demand when
 * its spec says so; then job_done tells when it is over. */
void job_horizon(struct job *j);
struct job_result job_result(const struct job *j);

#endif
