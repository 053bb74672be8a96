/* SPDX-License-Identifier: GPL-3.0-or-later
 * What monitoring would show of a service in steps of time, from bucket to bucket of its log.
 * Latencies are collected as laws, like those of the whole world (interval_latency.h), and made
 * when their bucket is over. */
#ifndef FLEETCAST_MODELS_INTERVAL_LOG_H
#define FLEETCAST_MODELS_INTERVAL_LOG_H

#include "models/fleet/service_log.h"
#include "models/inference/interval_latency.h"

/* Of one world; nothing of it is read without a log. */
struct interval_log {
    struct interval_latency latency; /* of the bucket that is open, measured or not */
    double at_s, served;             /* a moment in that bucket; requests served in it */
    double lost;                     /* since the last step */
};

struct service_run;
struct interval_step;
/* The numbers of the world are there. */
void interval_log_begin(struct service_run *s);
/* A step is about to be taken: latencies recorded from now on are of its bucket. */
void interval_log_open(struct service_run *s, const struct interval_step *p);
/* A step is taken, which began with so many requests in the backlog. Counts are of its middle; what
 * is served is the rest of those that came. */
void interval_log_step(struct service_run *s, const struct interval_step *p, double before);
/* After the last. */
void interval_log_end(struct service_run *s);

#endif
