/* SPDX-License-Identifier: GPL-3.0-or-later
 * A job for which there is no room takes the nodes of running jobs of lower priority: as few of
 * them as will do, of the lowest priority first, of these the one that began last. Those that write
 * checkpoints write one, if it is not just written, and leave when it is complete; others leave at
 * once. They wait again by their priority. For models/jobs only. */
#ifndef FLEETCAST_MODELS_JOBS_PREEMPTION_H
#define FLEETCAST_MODELS_JOBS_PREEMPTION_H

#include "models/jobs/jobs_giving.h"

/* In the middle of a round. True: room was made in this way to buy, for what is free at once and
 * for what is about to be. */
bool jobs_preempt(struct jobs_run *r, const struct queue_job *j, size_t entry);

#endif
