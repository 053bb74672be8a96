/* SPDX-License-Identifier: GPL-3.0-or-later
 * A training job in one world that runs on as many nodes as it gets: they join and leave while it
 * works, at the price of a resize. The rules are in docs/models.md, "Elastic jobs". */
#ifndef FLEETCAST_MODELS_ELASTIC_JOB_H
#define FLEETCAST_MODELS_ELASTIC_JOB_H

#include "models/fleet/work.h"
#include "models/training/training_plan.h"

#include <stdbool.h>

struct elastic_job;

/* All as of job.h. */
struct elastic_job *elastic_job_new(const struct training_plan *plan, struct fleet *fleet);
void elastic_job_free(struct elastic_job *j);
bool elastic_job_begin(struct elastic_job *j, const double *drawn);
void elastic_job_start(struct elastic_job *j);
void elastic_job_forgo(struct elastic_job *j);
bool elastic_job_done(const struct elastic_job *j);
void elastic_job_horizon(struct elastic_job *j);
void elastic_job_cancel(struct elastic_job *j);
struct work_result elastic_job_result(const struct elastic_job *j);

#endif
