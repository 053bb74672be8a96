/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service under one strategy, resolved before any world is drawn: its demand, the pools of its
 * nodes, how a replica on each of them serves, and who scales it. Read only afterwards. */
#ifndef FLEETCAST_MODELS_SERVICE_PLAN_H
#define FLEETCAST_MODELS_SERVICE_PLAN_H

#include "models/autoscaling/autoscaler_group.h"
#include "models/fleet/fill_plan.h"
#include "models/fleet/work.h"
#include "models/inference/demand.h"
#include "models/inference/llm_plan.h"
#include "models/inference/llm_tables.h"
#include "models/inference/service_keys.h"
#include "models/inference/service_mode.h"
#include "models/inference/shared_fleet_plan.h"
#include "models/policies/footprint.h"

#include <stdbool.h>
#include <stdint.h>

enum { SERVICE_MOST_AUTOSCALERS = 8 };
/* Most replicas of a service: each has a record. */
enum { SERVICE_MOST_REPLICAS = 20000 };
/* Most requests of a service in a world. */
#define SERVICE_MOST_REQUESTS 2e8

/* One zone, or wherever the strategy's `zone` says. */
struct service_zone_plan {
    const char *name;      /* NULL: the strategy's */
    struct fill_plan fill; /* `pool`: index from first_pool on */
    size_t first_pool, pool_count;
};

struct service_plan {
    struct work_plan work; /* first */
    const struct service_spec *spec;
    const struct shared_fleet_plan *host; /* on whose nodes it stands, without pools of its own;
                                             NULL: on its own */
    struct demand_plan demand;
    struct service_zone_plan zones[FOOTPRINT_MOST_ZONES];
    uint32_t zone_count; /* at least 1; 0: it stands on nodes of others */
    struct footprint footprint;
    struct rollouts_plan rollouts;
    bool has_warm_pool; /* its nodes come from one pool then, whose first crew_nodes are those of
                           the service, and the rest those that are made ready */
    struct warm_pool_spec warm_pool;
    uint32_t prepared; /* most nodes, running or stopped */
    uint32_t crew_nodes[WORK_MAX_POOLS];
    const struct serving_spec *serving[WORK_MAX_POOLS]; /* by pool of the work; NULL: see is_llm */
    double memory_parts[WORK_MAX_POOLS]; /* bytes of a replica's part of the accelerators */
    bool is_llm;
    struct llm_plan llm;
    struct llm_host_plan hosts[WORK_MAX_POOLS]; /* by pool of the work */
    bool has_slo;
    uint32_t replicas_per_node; /* the same on all pools */
    struct autoscaler_use uses[SERVICE_MOST_AUTOSCALERS];
    size_t use_count; /* 0: always begin_replicas */
    uint32_t min_replicas, max_replicas, begin_replicas;
    double warm_up_s;
    bool of_jobs;   /* each replica ends when it has served a request */
    bool monitored; /* autoscalers see what `monitoring` shows, not what is */
    struct monitoring_spec monitoring;
    struct service_mode_choice mode;
    struct llm_table_place *table; /* of a language model in steps of time; else NULL */
};

/* Who buys its nodes: whatever is by pool is by the pools of this plan. */
static inline const struct work_plan *service_nodes_of(const struct service_plan *plan)
{
    return plan->host != NULL ? &plan->host->work : &plan->work;
}

/* Of a node of this pool, what a replica takes. */
static inline double service_node_share(const struct service_plan *plan, size_t pool)
{
    return plan->is_llm ? plan->hosts[pool].node_share : 1.0 / plan->replicas_per_node;
}

/* What is wrong is told at its key. False when anything failed. */
bool service_plan_make(struct service_plan *plan, const struct work_request *request);

/* Most replicas that may stand at a time, and most nodes, those of a rollout included. */
uint32_t service_most_standing(const struct service_plan *plan);
uint32_t service_most_nodes(const struct service_plan *plan);

/* Requests a second that one replica on this pool serves at most, as planning sees it. */
double service_most_rate(const struct service_plan *plan, size_t pool);

#endif
