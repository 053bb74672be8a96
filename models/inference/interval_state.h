/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service in steps of time: its parts, for the modules that make it up only.
 *
 *   service_interval steps, what monitoring sees of them, replicas that go, the end
 *   queue_limits     waits where a limit is near
 *   interval_serving what becomes of the requests of a step
 *   interval_llm     likewise, where a table of a language model says how they are served
 *   interval_llm_books what is kept of it, and latencies and tokens made of that
 *   interval_log     what monitoring would show, for services.csv */
#ifndef FLEETCAST_MODELS_INTERVAL_STATE_H
#define FLEETCAST_MODELS_INTERVAL_STATE_H

#include "models/inference/interval_backlog.h"
#include "models/inference/interval_latency.h"
#include "models/inference/interval_load.h"
#include "models/inference/interval_log.h"
#include "models/inference/interval_objective.h"
#include "models/inference/interval_retries.h"
#include "models/inference/interval_waits.h"
#include "models/inference/service_state.h"

#define INTERVAL_SAME_INSTANT_S 1e-6 /* times so far apart are the same */

/* Replicas over the step so far, summed over time. */
struct replica_time {
    double replica_s, slot_s, served_most; /* served_most: requests that they could serve */
    double seen_s;                         /* as autoscalers see them */
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
    double failed;   /* since the last step was taken: lost, sent again or not */
    struct interval_retries retries;
    struct interval_llm *llm; /* NULL: it is none */
    struct replica_time time;
    struct interval_load_step load_step;
    double load;       /* offered, at the end of the last step */
    double rho;        /* busy share of slots in the last step … */
    double rate;       /* … and what came, per second */
    double in_service; /* requests, at its end … */
    double inside;     /* … and with those that wait, as monitoring sees them: a whole number */
    uint32_t first_draining; /* replicas ready before the first of those that drain */
    struct interval_backlog backlog;
    struct interval_latency latency;
    struct interval_objective objective; /* of none of a language model */
    struct interval_log log;
};

/* What a step is taken with. */
struct interval_step {
    double from_s, to_s;
    double arrivals; /* what comes: for the first time here, and with what is sent again made */
    double fresh;    /* for the first time */
    double slots, most_rate; /* on average; requests/s that they could serve at most */
    double s_s, cs2;
    bool measured;
    double luck;                 /* of the load, standard normal */
    struct interval_queue queue; /* of slots … */
    struct interval_waits waits; /* … and when there is no backlog */
    double shift;                /* in [0, 1): of points of laws, spread over steps */
    struct request_mix mix;      /* of what comes, in the stretch that is served … */
    bool mixed;                  /* … and of it some may be sent again */
    /* Made, measured or not. */
    double dropped, timed_out, rejected, within; /* for good; within the objectives, where known */
    double failed;                               /* sent again or not */
    double busy;                                 /* share of the slots */
    double waiting; /* of a language model: not admitted yet, beside the backlog; mean */
    double active, cache_tokens; /* likewise of a replica: share of the time in which it has
                                    something to do, and tokens in its cache; means */
    double wait_sum_s, backlog_s, calm_s; /* waits of those served, requests × seconds in the
                                             backlog, time without one */
    double calm_wait_s;                   /* of wait_sum_s: those of steady queues */
};

/* All requests of the step, of which those in service need `load` servers on average. Fills what of
 * the step is made, and the books. */
void interval_serve(struct service_run *s, struct interval_step *p, double load);

/* What comes in a stretch: at the rate of what comes for the first time, and what is sent again. */
struct interval_inflow {
    double rate, again; /* per second; of them, sent again: requests */
};
/* For a stretch of for_s, which may be cut short. Sets the mix of the step. */
struct interval_inflow interval_inflow(struct service_run *s, struct interval_step *p, double now_s,
                                       double *for_s);
/* The stretch took that long: what of it was not sent yet is put back. */
void interval_inflow_end(struct service_run *s, struct interval_step *p, double now_s, double for_s,
                         double took_s, const struct interval_inflow *in);
/* A stretch of at most left_s in which a backlog stands or begins; what comes and is served, per
 * second. Returns how long it is: until the backlog is gone, or full. */
double interval_serve_backlog(struct service_run *s, struct interval_step *p, double now_s,
                              double left_s, double came_rate, double rate, double room);
/* So much of a mix fails, `waited_s` after it was sent. p NULL: between steps. */
void interval_fail(struct service_run *s, struct interval_step *p, enum service_failure how,
                   const struct request_mix *mix, double amount, double waited_s, double now_s,
                   bool measured);

#endif
