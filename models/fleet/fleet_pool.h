/* SPDX-License-Identifier: GPL-3.0-or-later
 * A pool as one strategy sees it, and what a fleet is inside: for models/fleet only. */
#ifndef FLEETCAST_MODELS_FLEET_POOL_H
#define FLEETCAST_MODELS_FLEET_POOL_H

#include "models/commitments/reservation_plan.h"
#include "models/fleet/fleet.h"

/* A pool as this strategy sees it: what is held, who asks, when its capacity changes next. */
struct fleet_pool {
    struct fleet *fleet;
    int pool;
    uint32_t crews;   /* that may hold nodes of this pool */
    uint32_t most;    /* all nodes that crews of this pool may want together */
    uint32_t held;    /* without those under notice: the cloud has taken them back already */
    uint32_t leaving; /* those: they count towards a quota until they are gone */
    struct pool_quota quota;
    uint32_t capacity; /* min(K, most) now; what is reserved at least */
    uint32_t losses;
    double closed_until_s;            /* regain: no grant before */
    const struct held_pool *reserved; /* capacity reserved on demand; NULL: none */
    uint32_t guaranteed;              /* nodes that can be held in it now, used or not */
    struct crew *first_asking, *last_asking;
    struct event_id reopen, room;
    uint64_t source_regain, source_falls, source_advice, source_false_alarms;
};

/* Times that looking at a node takes. */
#define FLEET_WORK_OF_A_LAUNCH 64

struct fleet_offer {
    uint32_t workload;
    void *what;
};

struct fleet {
    struct market *market;
    struct calendar *calendar;
    struct usage_log *log;
    struct journal *journal;
    struct trail *trail;
    struct attempt_log *attempts;
    struct service_log *services;
    struct hour_log *hours;
    struct random_world world;
    struct crew **crews;
    size_t crew_count, crew_capacity;
    struct fleet_pool **pools;
    size_t pool_count;
    struct fleet_offer *offers;
    size_t offer_count;
    bool *falls;                  /* scratch for a drop: as many as the largest pool may hold */
    uint32_t *order;              /* likewise */
    size_t scratch;               /* entries of both */
    struct running_price *prices; /* NULL: nothing is signed */
    uint64_t work;                /* in this world: see fleet_work */
    bool failed;
};

/* Starts the world of this pool: nothing held, capacity events from now on. */
void pool_begin(struct fleet_pool *p);
/* The crew joins the queue, at its end, or leaves it. */
void pool_queue(struct fleet_pool *p, struct crew *c);
void pool_unqueue(struct fleet_pool *p, struct crew *c);
/* Nodes that could be launched now: capacity not held, within the quota. What is reserved on demand
 * counts towards a quota whether nodes run in it or not, and has room in it for as many. */
uint32_t pool_room(const struct fleet_pool *p);
/* Gives what room there is to the queue, first come first served. */
void pool_grant(struct fleet_pool *p);
/* Nodes were lost: the pool stays closed for its regain time. */
void pool_lost(struct fleet_pool *p);
/* How many more nodes find room in reserved capacity, beside those held or asked for: they need not
 * wait. */
uint32_t pool_reserved_room(const struct fleet_pool *p);
/* Nodes have gone that other crews of the pool, or of others that share its quota, may want: these
 * are told, after what happens at this instant. */
void pool_freed(struct fleet_pool *p);

#endif
