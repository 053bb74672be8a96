/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a job hears, and what it does about it: nodes come, boot, are given notice and go, a
 * checkpoint is written, the work is done, a budget is spent, a window closes. Where the job goes
 * from there is asked of the policy (job_moves.h). For models/training only. */
#ifndef FLEETCAST_MODELS_JOB_NEWS_H
#define FLEETCAST_MODELS_JOB_NEWS_H

#include "models/fleet/crew.h"
#include "models/training/progress.h"

/* Their owner is a struct job. */
extern const struct crew_events job_crew_events;
extern const struct progress_events job_progress_events;
/* The budget is about to be spent. */
void job_budget_reached(void *owner);
/* The window of its capacity block is about to close. */
void job_window_closes(void *owner);

#endif
