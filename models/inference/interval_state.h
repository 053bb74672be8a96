/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service in steps of time: its parts, for the modules that make it up only.
 *
 *   service_interval steps, what monitoring sees of them, replicas that go, the end
 *   interval_serving what becomes of the requests of a step
 *   interval_log     what monitoring would show, for services.csv */
#ifndef FLEETCAST_MODELS_INTERVAL_STATE_H
#define FLEETCAST_MODELS_INTERVAL_STATE_H

#include "models/inference/interval_backlog.h"
#include "models/inference/interval_latency.h"
#include "models/inference/interval_load.h"
#include "models/inference/interval_log.h"
#include "models/inference/interval_waits.h"
#include "models/inference/service_state.h"

#define INTERVAL_SAME_INSTANT_S 1e-6 /* times so far apart are the same */

/* Replicas over the step so far, summed over time. */
struct replica_time {
    double replica_s, slot_s, served_most; /* served_most: requests that they could serve */
};

/* How requests are served on a pool, on average. */
struct pool_mean {
    double s_s, cs2, slots;
};

struct service_interval {
    uint64_t source_load, source_count;
    struct random_stream load_noise, count_noise;
    struct erlang_table *erlang;

    /* Of this world. */
    struct pool_mean pools[WORK_MAX_POOLS];
    double ca2, peakedness;
    double period_s;
    bool stands; /* a step stands at step_from_s … */
    double step_from_s, step_end_s, booked_s;
    double arrivals; /* … in which so many come */
    uint64_t looks;  /* periods begun */
    struct replica_time time;
    struct interval_load_step load_step;
    double load;             /* offered, at the end of the last step */
    double rho;              /* busy share of slots in the last step … */
    double rate;             /* … and what came, per second */
    double in_service;       /* requests, at its end */
    uint32_t first_draining; /* replicas ready before the first of those that drain */
    struct interval_backlog backlog;
    struct interval_latency latency;
    struct interval_log log;
};

/* What a step is taken with. */
struct interval_step {
    double from_s, to_s, arrivals;
    double slots, most_rate; /* on average; requests/s that they could serve at most */
    double s_s, cs2;
    bool measured;
    double luck;                          /* of the load, standard normal */
    struct interval_waits waits;          /* when there is no backlog */
    double dropped, timed_out;            /* made, measured or not */
    double wait_sum_s, backlog_s, calm_s; /* made: waits of those served, requests × seconds in the
                                             backlog, time without one */
};

/* All requests of the step, of which those in service need `load` servers on average. Fills what of
 * the step is made, and the books. */
void interval_serve(struct service_run *s, struct interval_step *p, double load);

#endif
