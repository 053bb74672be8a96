/* SPDX-License-Identifier: GPL-3.0-or-later
 * EASY backfill: the first job that waits has a reservation, at the earliest time at which it could
 * run if those that run take as long as was said when they were handed in; jobs behind it may pass
 * only if they end before, or run on nodes that it will not need (Lifka, "The ANL/IBM SP scheduling
 * system", JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001). Nodes that are not held count
 * if they would come at once; where it will need others, nobody knows when, and all may pass. For
 * models/jobs only. */
#ifndef FLEETCAST_MODELS_JOBS_RESERVATION_H
#define FLEETCAST_MODELS_JOBS_RESERVATION_H

#include "models/jobs/jobs_giving.h"

/* Marks the nodes that are kept for this job, for the rest of the round, in the one of so many ways
 * to buy in which it can run first; returns when: +infinity: none is kept. */
double jobs_reserve(struct jobs_run *r, const struct queue_job *j, size_t open);
/* The job, begun here now, would last beyond then, as it was said to. */
bool jobs_would_outlast(const struct jobs_run *r, const struct queue_job *j, size_t entry,
                        double then_s);

#endif
