/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service in one world, request by request: its parts, for the modules that make it up only.
 *
 *   service_run      its life: demand, horizon, autoscalers, result
 *   service_replicas which nodes there are, which replicas on them serve, drain or load
 *   service_zones    over which zones they are spread, and who stands in for which
 *   service_jobs     replicas that end when they have served a request
 *   service_rollouts when further nodes stand for a new version
 *   service_queue    requests: waiting, given up, sent again, ended
 *   service_slots    who serves them: replicas of slots or batches, one queue for all
 *   service_llm      likewise: replicas of a language model, each with a queue of its own
 *   llm_replica, llm_replica_losses  one of these; who leaves it unserved
 *   service_books    what is counted
 *   hour_watch       likewise hour by hour, and whether it was overloaded
 *   service_monitoring  what autoscalers see of it
 *   service_interval steps of time in place of requests: what service_queue and service_slots do,
 *                    on average */
#ifndef FLEETCAST_MODELS_SERVICE_STATE_H
#define FLEETCAST_MODELS_SERVICE_STATE_H

#include "engine/log_histogram.h"
#include "engine/philox.h"
#include "models/fleet/fill.h"
#include "models/inference/arrivals.h"
#include "models/inference/hour_watch.h"
#include "models/inference/llm_replica.h"
#include "models/inference/service_interval.h"
#include "models/inference/service_plan.h"
#include "models/inference/service_requests.h"
#include "models/inference/service_router.h"
#include "models/inference/service_run.h"
#include "models/inference/shared_fleet_run.h"
#include "models/inference/token_lengths.h"

enum replica_state {
    REPLICA_ABSENT,  /* no node, or not wanted */
    REPLICA_LOADING, /* its node has booted */
    REPLICA_READY,
    REPLICA_DRAINING /* goes on with what it has, gets nothing new */
};

struct replica {
    enum replica_state state;
    bool noticed;        /* its node goes by itself */
    bool placed;         /* on shared nodes: it has a place here, and is wanted */
    uint32_t launch;     /* of the node that it was seen on, from 1; 0: none */
    uint32_t busy;       /* slots; of a language model requests */
    uint32_t first_unit; /* of those it serves; 0: none */
    uint32_t pool;       /* index in the plan */
    double ready_s;      /* since when it serves */
    double drains_from_s;
    double drains, drain_time_s; /* of a language model in steps of time: requests that it had then,
                                    of which so many are left after t: exp(-t / drain_time_s) */
    /* Of slots that share. */
    double each_s, shared_at_s; /* service that each request has had since there were any, then */
    struct event_id shared_end; /* the next of them is done */
    struct event_id load;
};

/* A request, or a batch of them, in a slot. */
struct service_unit {
    uint32_t first, count; /* requests, linked by `next` */
    uint32_t replica;
    uint32_t older, newer; /* of its replica; `newer` also links those that are free */
    struct event_id end;   /* of slots that do not share … */
    double done_each_s;    /* … and of others: done when each_s of the replica is there */
};

struct service_units {
    struct service_unit *items; /* index 0 is never used */
    uint32_t count, capacity, free_;
};

/* How requests are served on one pool, in this world. */
struct pool_serving {
    struct distribution time;          /* not batched … */
    struct quantile_table *time_table; /* … and what it is looked up in; NULL: nowhere */
    double base_s, each_s, delay_s;
    int law;
    uint32_t slots, batch; /* batch 1: not batched */
    bool sharing;
    double most_rate; /* requests/s that a replica serves at most; NaN: not known */
    double memory_share, request_share; /* of its part of the accelerators' memory: what a replica
                                           takes, and a request; NaN: not known */
};

/* Sums over time up to booked_s, and counts. Of the window since measure_from only where said. */
struct service_books {
    double booked_s;
    double busy_s, in_flight, seen_s; /* integrals: of busy replicas, of requests here, of replicas
                                         that serve, as autoscalers see them (service_standing) */
    double arrivals, ended;           /* of all */
    double loading_s;                 /* likewise of replicas that load */
    double standing_s, room_s; /* on shared nodes: replicas that are ready, and what of nodes they
                                  take, over time */
    double answered, latency_sum; /* of those that were served */
    /* measured */
    double requests, served, dropped, timed_out, lost, within_slo, retries, waited;
    double measured_busy_s, measured_replica_s, measured_in_flight;
    struct log_histogram latency, wait;
    /* of a language model */
    double rejected, prompt_tokens, output_tokens;
    double evictions; /* in steps of time: of all */
    struct log_histogram ttft, tpot;
};

/* The part of the fleet that is in one zone, or all of it. */
struct service_zone {
    struct fill fill;
    size_t first;      /* of its crews, among the service's */
    uint32_t base;     /* replicas: its share of those that stand */
    uint32_t over;     /* that it takes over for others */
    uint32_t replicas; /* wanted of it: both */
    uint32_t nodes;    /* for them, and those of a rollout */
};

/* Of the limits of admission in this world; +infinity: none. */
struct admission_state {
    double rate, wait_s;
    double tokens, filled_s; /* in the bucket, at that time */
};

/* What an autoscaler saw last. */
struct scaling_snapshot {
    double at_s, busy_s, seen_s, in_flight, latency_sum;
    double arrivals, answered;
};

struct service_run {
    const struct service_plan *plan;
    const struct serving_way *way;
    struct service_llm *llm;       /* NULL: it is none */
    struct shared_fleet_run *host; /* on whose nodes it stands; NULL: on its own */
    struct fleet *fleet;
    struct calendar *calendar;
    struct arena *arena; /* of the autoscalers' states */
    struct service_zone zones[FOOTPRINT_MOST_ZONES];
    struct crew *crews[WORK_MAX_POOLS]; /* as the plan's pools */
    struct warm_nodes warm;             /* of a service that has a warm pool */
    struct arrivals arrivals;
    struct autoscaler_group group;
    struct scaling_snapshot seen[SERVICE_MOST_AUTOSCALERS];
    struct metric_feed feeds[SERVICE_MOST_AUTOSCALERS]; /* of a service that is monitored */
    struct scaling_snapshot sampled;                    /* at its last datapoint */
    double points_every_s, next_point_s; /* +infinity: datapoints are made at looks */
    uint64_t source_noise;

    /* Of this world. */
    struct pool_serving serving[WORK_MAX_POOLS];
    struct quantile_table *time_tables[WORK_MAX_POOLS]; /* NULL: none is needed */
    uint64_t source_time;
    struct {
        bool made;
        uint32_t from; /* the blocks of the numbers from this one on */
        uint32_t words[4 * PHILOX_BATCH];
    } luck; /* of service times */
    double load_s, warm_load_s, drain_s, timeout_s, retry_after_s, measure_from_s;
    double slo_s, slo_ttft_s, slo_tpot_s; /* +infinity: none */
    struct admission_state admission;
    bool begun, over, finished, cancelled;
    double end_s;
    uint32_t desired; /* replicas asked for */
    uint32_t wanted;  /* that are to stand: with the spares beside them */
    bool following_jobs, follow_jobs_again;
    uint32_t rolling; /* rollouts under way */
    double rollout_extra, rollout_takes_s, rollout_every_s;

    /* Requests. */
    struct service_requests requests;
    uint32_t first_waiting, last_waiting, waiting, away; /* away: to be sent again later */
    uint64_t numbered;
    struct service_units units;
    struct event_id delay; /* a batch that waits to fill up */
    bool timing_out;       /* an event comes no later than the first that waits would be given up */

    /* Replicas, by pool, slot and place on the node. */
    struct replica *replicas;
    uint32_t replica_count, ready, loading, draining_busy;
    uint32_t ready_of[WORK_MAX_POOLS];   /* of each pool */
    double serving_replicas;             /* ready + draining_busy */
    double capacity;                     /* what they serve at most, requests/s */
    uint32_t pool_first[WORK_MAX_POOLS]; /* the first replica of each pool */
    uint64_t *free_words;                /* bit r: replica r is ready and has a free slot */
    uint32_t free_hint;                  /* no word before it has a bit */
    double busy_replicas;                /* busy slots over slots, summed */
    uint32_t active_replicas;            /* that have something to do */
    struct event_id drain_end;
    bool draining_nodes;
    double changed_at_s;
    double idle_s; /* wanted, and none ready */

    struct service_interval *interval; /* NULL: request by request */

    struct service_books books;
    struct hour_watch watch;
    struct service_log *log; /* of this world; NULL: none is kept */
    struct work_service result;
};

/* ---- service_books ---- */

/* Counts the time up to now; before anything changes that is counted by time. */
void service_book(struct service_run *s);
void service_books_begin(struct service_run *s);
/* Requests that wait or are served. */
double service_in_flight(const struct service_run *s);
/* Likewise, as who looks sees it at this moment: whole requests in steps of time too. */
double service_inside(const struct service_run *s);
/* Requests/s that what is ready serves at most. */
double service_capacity(const struct service_run *s);
/* Share of their parts of the accelerators' memory that so many replicas take which serve so many
 * requests, summed over the replicas; those that drain count as the mean of those that are ready.
 * NaN: not known. */
double service_memory_held(const struct service_run *s, double replicas, double requests);
/* A request that came at arrived_s is one that is measured. */
static inline bool service_measures(const struct service_run *s, double arrived_s)
{
    return arrived_s >= s->measure_from_s;
}

/* ---- service_monitoring ---- */

/* For a new world, before the service begins. */
void service_monitoring_begin(struct service_run *s, const double *drawn);
/* The service begins, now. */
void service_monitoring_start(struct service_run *s);
void service_monitoring_release(struct service_run *s);
/* The readings of one autoscaler, which looks now. */
void service_read(void *run, size_t member, struct autoscaler_view *view);
/* How often anything looks at the service; +infinity: nothing does. */
double service_points_every_s(const struct service_run *s);

/* ---- service_admission ---- */

/* For a new world. */
void service_admission_begin(struct service_run *s, const double *drawn);
/* Whether a request that comes now, and is counted in flight, is let in; it is then. */
static inline bool service_admits(struct service_run *s);
/* Where there are limits. */
bool service_admits_within_limits(struct service_run *s);

static inline bool service_admits(struct service_run *s)
{
    return !s->plan->spec->has_admission || service_admits_within_limits(s);
}

/* ---- service_queue ---- */

enum service_failure {
    REQUEST_DROPPED,
    REQUEST_TIMED_OUT,
    REQUEST_LOST,
    REQUEST_REJECTED,   /* for good: no replica could serve it */
    REQUEST_TURNED_AWAY /* rejected too, but may come again */
};

/* A new request comes now. */
void service_arrive(struct service_run *s);
/* The first that waits waits no more. There is one. */
uint32_t service_take_first(struct service_run *s);
/* Those at the head that have waited as long as they would are given up. */
static inline void service_give_up(struct service_run *s);
/* Where requests time out. */
void service_time_out(struct service_run *s);

static inline void service_give_up(struct service_run *s)
{
    if (s->timeout_s > 0) {
        service_time_out(s);
    }
}
/* What becomes now of a request that waits no more: sent again later, or counted and over. */
void service_fail(struct service_run *s, uint32_t request, enum service_failure how);
/* It is served, now. */
void service_succeed(struct service_run *s, uint32_t request);
/* Requests that wait, here or at a replica. */
static inline uint32_t service_waiting(const struct service_run *s);
/* Gives all records back. */
void service_clear_requests(struct service_run *s);

/* ---- serving: service_slots, service_llm, service_interval ---- */

/* How replicas serve. */
struct serving_way {
    void (*dispatch)(struct service_run *s);
    bool (*takes_one)(struct service_run *s);
    void (*lose)(struct service_run *s, uint32_t replica);
    void (*set_free)(struct service_run *s, uint32_t replica);
    void (*begin)(struct service_run *s);
};
extern const struct serving_way serving_by_slots, serving_by_llm, serving_by_interval;

/* Serves what waits, as far as replicas take it. */
static inline void service_dispatch(struct service_run *s)
{
    s->way->dispatch(s);
}
/* Whether some replica could take one more request at once. */
static inline bool service_takes_one(struct service_run *s)
{
    return s->way->takes_one(s);
}
/* All that the replica serves is lost, now. */
static inline void service_lose(struct service_run *s, uint32_t replica)
{
    s->way->lose(s, replica);
}
/* Whether a replica may be given requests has changed. */
static inline void service_set_free(struct service_run *s, uint32_t replica)
{
    s->way->set_free(s, replica);
}

/* ---- service_llm ---- */

/* A replica of a language model. */
struct llm_server {
    struct llm_replica engine;
    struct event_id next; /* at engine.end_s */
    double next_s;        /* +infinity: none */
    double busy;          /* of it, that busy_replicas holds */
};

struct service_llm {
    struct llm_rules rules[WORK_MAX_POOLS]; /* of this world */
    double sequences[WORK_MAX_POOLS];       /* that fill a replica */
    struct token_lengths lengths;
    struct service_router router;
    struct llm_server *servers; /* by replica */
    struct random_world world;
    uint64_t source_route;
    uint32_t waiting; /* at replicas */
};

static inline uint32_t service_waiting(const struct service_run *s)
{
    return s->waiting + (s->llm != NULL ? s->llm->waiting : 0);
}

/* NULL, and nothing to free, when memory is out. */
struct service_llm *service_llm_new(struct service_run *s);
void service_llm_free(struct service_run *s);
/* The numbers of this world. False when one is impossible. */
bool service_llm_resolve(struct service_run *s, const double *drawn);
/* Those that have waited at a replica for the timeout are given up. When the first of the others
 * that were never begun came into the queue; +infinity: there is none. */
double service_llm_time_out(struct service_run *s);
/* A new request gets its lengths; false when it is longer than any may be. */
bool service_llm_measure(struct service_run *s, struct service_request *q);
/* A request is served, now: false when an objective of its tokens is missed. Counts what is told of
 * its tokens where it is measured. */
bool service_llm_count(struct service_run *s, const struct service_request *q, bool measured);
/* Into the log: what is told of its tokens. */
void service_llm_log(const struct service_run *s, const struct service_request *q);
/* Of the memory of a replica's accelerators: what the weights take. */
double service_llm_weights_share(const struct service_run *s, size_t pool);
/* Since the world's begin, of all replicas. */
uint64_t service_llm_evictions(const struct service_run *s);

/* ---- service_replicas ---- */

/* False when memory is out. */
bool service_replicas_make(struct service_run *s);
void service_replicas_begin(struct service_run *s);
/* Ready for those who scale: what serves, and has warmed up. */
uint32_t service_warm(const struct service_run *s);
/* Likewise, as if there were no spares beside those that are asked for. */
uint32_t service_seen(const struct service_run *s);
/* Those that serve, warmed up or not, without such spares. */
uint32_t service_standing(const struct service_run *s);
/* So many are wanted from now on. */
void service_want(struct service_run *s, uint32_t replicas);
/* Nodes have come or gone, or are about to. */
void service_nodes_changed(struct service_run *s);
/* So many stand beside what is needed, or no more: a rollout has begun or ended. */
void service_rolls(struct service_run *s);
/* What its node, and whether it is wanted, means for a replica. */
void service_follow_replica(struct service_run *s, uint32_t replica, const struct node *n,
                            bool want);
/* The job of a replica that is ready, and serves nothing, has ended. */
void service_job_ends(struct service_run *s, uint32_t replica);
/* What was given back may be kept stopped, and what lacks is made ready. */
void service_follow_warm(struct service_run *s);
/* A replica that drains has nothing to do any more. */
void service_drained(struct service_run *s, uint32_t replica);

/* ---- service_zones ---- */

/* False when memory is out. Needs the crews. */
bool service_zones_make(struct service_run *s);
void service_zones_begin(struct service_run *s);
/* Shares what is wanted among the zones, and asks for what lacks; whatever a zone has not, others
 * take over. Nothing is given back. */
void service_zones_spread(struct service_run *s);
/* Nodes for so many replicas. */
uint32_t service_nodes_for(const struct service_run *s, uint32_t replicas);
/* Nodes of the zone that have booted and are under no notice. */
uint32_t service_zone_working(const struct service_run *s, uint32_t zone);

/* ---- service_jobs ---- */

void service_jobs_begin(struct service_run *s);
/* In place of spreading replicas: jobs that are asked for find places, nodes that are empty end. */
void service_jobs_follow(struct service_run *s);

/* ---- service_rollouts ---- */

/* For a new world, before the service begins. */
void service_rollouts_begin(struct service_run *s, const double *drawn);
/* The service begins, now. */
void service_rollouts_start(struct service_run *s);

#endif
