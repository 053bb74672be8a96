/* SPDX-License-Identifier: GPL-3.0-or-later
 * The attempts of all jobs of one strategy in its plan world: those that queues have logged, and
 * those of training jobs, read off the trail of their gangs. */
#ifndef FLEETCAST_SCENARIOS_JOB_ATTEMPTS_H
#define FLEETCAST_SCENARIOS_JOB_ATTEMPTS_H

#include "models/fleet/attempt_log.h"
#include "models/fleet/trail.h"
#include "scenarios/study/run.h"

/* Adds to the log what the trail tells of the training workloads. Submissions are those of the
 * results. */
void job_attempts_of_trail(struct attempt_log *log, const struct trail *trail,
                           const struct run *run, size_t strategy);

#endif
