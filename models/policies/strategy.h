/* SPDX-License-Identifier: GPL-3.0-or-later
 * How to buy and run: the keys of one strategy, which hold for every workload unless given for it.
 */
#ifndef FLEETCAST_MODELS_STRATEGY_H
#define FLEETCAST_MODELS_STRATEGY_H

#include "engine/schema.h"
#include "models/autoscaling/autoscaler.h"
#include "models/autoscaling/metric_feed.h"
#include "models/commitments/block_keys.h"
#include "models/commitments/commitment_keys.h"
#include "models/commitments/owned_keys.h"
#include "models/market/market.h"
#include "models/policies/fill_keys.h"
#include "models/policies/footprint.h"
#include "models/policies/policy.h"
#include "models/policies/warm_pool_keys.h"
#include "models/policies/zone_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* Absent keys: instance NULL, nodes 0, buy -1, zone NULL, zones.count 0, failover -1, policy.index
 * -1, fill.count 0. */
struct strategy_terms {
    struct schema_item item; /* the workload's name when given per workload */
    const char *instance;    /* instance type */
    int64_t nodes;
    int64_t spares; /* nodes beside those, of a gang */
    bool spares_given;
    struct place spares_place;
    int buy;          /* index into strategy_buy_names */
    const char *zone; /* "us-east-1a"; absent: the first of `zones`, else the region's first */
    struct schema_list zones; /* const char *: in which spot is asked, in order of preference */
    struct place zones_place;
    bool span_zones; /* the gang stands in all of them at once */
    bool span_zones_given;
    struct place span_zones_place;
    int failover; /* index into zone_rule_table */
    struct place failover_place;
    struct number max_price, max_hourly; /* per hour: of a node on spot, of a gang; medians count */
    struct number stop_at_budget;        /* money; the median counts */
    struct place max_price_place, max_hourly_place, stop_at_budget_place;
    struct place instance_place, nodes_place, zone_place;
    struct schema_variant policy; /* of policy_variants; absent: as `buy` says */
    struct schema_list block;     /* struct block_spec */
    struct schema_list fill;      /* struct fill_spec: in place of buy and policy */
    struct place fill_place;
    struct schema_list owned; /* struct owned_spec, at most one */
    /* Of services. */
    struct schema_list autoscale; /* struct schema_variant_item of autoscaler_variants */
    struct place autoscale_place;
    int64_t min_replicas, max_replicas;
    bool min_replicas_given, max_replicas_given;
    struct number warm_up;
    struct place min_replicas_place, max_replicas_place, warm_up_place;
    struct monitoring_spec monitoring; /* of what autoscalers see */
    bool monitoring_given;
    struct place monitoring_place;
    struct footprint_spec footprint; /* of what stands beside what is asked for */
    bool footprint_given;
    struct place footprint_place;
    struct warm_pool_spec warm_pool; /* of stopped nodes */
    bool warm_pool_given;
    struct place warm_pool_place;
    bool own_nodes; /* a service that may stand on shared nodes has some of its own */
    bool own_nodes_given;
    struct place own_nodes_place;
    struct number stop_when_idle; /* of machines that people work on; seconds */
    struct place stop_when_idle_place;
};
extern const struct schema strategy_terms_schema;
extern const char *const strategy_buy_names[]; /* as enum purchase, NULL */

struct strategy {
    struct schema_item item;
    struct strategy_terms terms;
    struct schema_list workloads;   /* struct strategy_terms, named by workload */
    struct schema_list commitments; /* struct commitment_spec */
};
extern const struct schema strategy_schema;

/* The terms in force for a workload: its own where given, else the strategy's. A `fill` of its own
 * takes the place of the strategy's `buy` and `policy`, and the other way round; a `zone` or
 * `zones` of its own that of both of the strategy's. */
struct strategy_terms strategy_terms_for(const struct strategy *s, const char *workload);
/* The policy in force, its parameters in *params: the one named, else `on-demand` or `wait` as
 * `buy` says. Never NULL for terms with a buy; NULL when buy is absent. */
const struct policy *strategy_policy(const struct strategy_terms *terms, const void **params);

#endif
