/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service in one world in steps of time, in place of request by request. A step is the period of
 * the autoscaler (60 s when nothing scales), and ends earlier where demand jumps. In it
 *
 * - requests come at the mean of the drawn rate; the number that is in service, which monitoring
 *   shows, fluctuates about the offered load (interval_load);
 * - what replicas cannot serve is carried over as a backlog, first come, first served, up to the
 *   limit of the queue and as long as requests wait (interval_backlog);
 * - while there is none, waits follow the law of a steady queue (interval_waits).
 *
 * Nodes, boots, notices, losses and the bill are those of service_replicas, whose replicas serve on
 * average here: one that drains does so for as long as requests in service take on average to end,
 * one that vanishes takes those with it which it had on average. */
#ifndef FLEETCAST_MODELS_SERVICE_INTERVAL_H
#define FLEETCAST_MODELS_SERVICE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

struct service_plan;
struct service_run;
struct service_interval;

/* Longest step where nothing scales. */
#define SERVICE_INTERVAL_S 60.0

/* Makes the table of a language model where nobody has yet. NULL when out of memory. */
struct service_interval *service_interval_new(const struct service_plan *plan);
void service_interval_free(struct service_interval *v);

/* For a new world, once its demand has begun and its numbers are resolved. */
void service_interval_begin(struct service_run *s);
/* The service begins, now. */
void service_interval_start(struct service_run *s);
/* Takes all steps that have ended, and counts the replicas of the one that goes on; before they
 * change. */
void service_interval_book(struct service_run *s);
/* Requests that wait or are served at the end of the last step, as monitoring sees them. */
double service_interval_inside(const struct service_run *s);
/* A replica is not wanted any more: how long it goes on, on average. */
double service_interval_drain_s(struct service_run *s, uint32_t replica);
/* One that drains is wanted again, with what it still has. */
void service_interval_resume(struct service_run *s, uint32_t replica);
/* The world ends, now: waits and latencies are made of what was collected. */
void service_interval_end(struct service_run *s);

#endif
