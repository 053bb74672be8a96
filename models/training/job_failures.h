/* SPDX-License-Identifier: GPL-3.0-or-later
 * The job's life after a failure of hardware. Work stops when a node fails; nobody knows yet. The
 * gang is held, and paid, until the failure is noticed (`detect`); then spares that are ready stand
 * in at once. Without any, somebody or something has to act (`response`): then the node, or the
 * whole gang, is given up and asked for again. What fails meanwhile is replaced with it. A gang
 * that boots beside the active one is replaced at once.
 * For models/training only. */
#ifndef FLEETCAST_MODELS_JOB_FAILURES_H
#define FLEETCAST_MODELS_JOB_FAILURES_H

#include "models/training/job_moves.h"

/* Adds crews of spares to the fleet, where the strategy has any. False when out of memory. */
bool job_failures_make(struct job *j);
/* For a new world. False when a drawn number is impossible. */
bool job_failures_begin(struct job *j, const double *drawn);
/* Of crew_events: of a gang. */
void job_node_failed(void *owner, struct crew *c, uint32_t slot);
/* Nodes of the gang that stands still are about to go: what they did is booked. */
void job_down_look(struct job *j);
/* The active gang stands still no longer; nothing happens when it does not. */
void job_down_over(struct job *j);
/* Spares are asked for beside the active gang, once it is held in whole. */
void job_spares_ask(struct job *j);
/* What a crew's gang has lost is taken over by its spares, as far as they are there. */
void job_spares_stand_in(struct job *j, struct crew *c);

#endif
