/* SPDX-License-Identifier: GPL-3.0-or-later
 * The terms stand twice in a scenario: at the strategy's own level and again under a workload's
 * name. One list of rows serves both; only the offset differs. */
#include "models/policies/strategy.h"

#include <stddef.h>
#include <string.h>

const char *const strategy_buy_names[] = {"on-demand", "spot", "capacity-block", "owned", NULL};

_Static_assert(PURCHASE_ON_DEMAND == 0 && PURCHASE_SPOT == 1 && PURCHASE_BLOCK == 2 &&
                   PURCHASE_OWNED == 3,
               "strategy_buy_names are indexed by enum purchase");

#define TERM_ROWS(BASE)                                                                            \
    {.name = "instance",                                                                           \
     .kind = SCHEMA_TEXT,                                                                          \
     .low = 1,                                                                                     \
     .high = 64,                                                                                   \
     .offset = (BASE) + offsetof(struct strategy_terms, instance),                                 \
     .place_offset = (BASE) + offsetof(struct strategy_terms, instance_place),                     \
     .help = "The instance type, such as `p4d.24xlarge`; `fleetcast show instances` lists them."}, \
        {.name = "nodes",                                                                          \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = 1e6,                                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, nodes),                                \
         .place_offset = (BASE) + offsetof(struct strategy_terms, nodes_place),                    \
         .help = "How many of them run the job together."},                                        \
        {.name = "spares",                                                                         \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 0,                                                                                 \
         .high = 1e5,                                                                              \
         .default_text = "0",                                                                      \
         .offset = (BASE) + offsetof(struct strategy_terms, spares),                               \
         .given_offset = (BASE) + offsetof(struct strategy_terms, spares_given),                   \
         .place_offset = (BASE) + offsetof(struct strategy_terms, spares_place),                   \
         .help = "Further nodes, paid all the time, that stand in at once for nodes that a gang "  \
                 "loses."},                                                                        \
        {.name = "buy",                                                                            \
         .kind = SCHEMA_CHOICE,                                                                    \
         .choices = strategy_buy_names,                                                            \
         .offset = (BASE) + offsetof(struct strategy_terms, buy),                                  \
         .help = "How the nodes are bought."},                                                     \
        {.name = "zone",                                                                           \
         .kind = SCHEMA_TEXT,                                                                      \
         .low = 1,                                                                                 \
         .high = 64,                                                                               \
         .offset = (BASE) + offsetof(struct strategy_terms, zone),                                 \
         .place_offset = (BASE) + offsetof(struct strategy_terms, zone_place),                     \
         .help =                                                                                   \
             "The zone they run in, such as `us-east-1a`; default: the first of `zones`, else "    \
             "the region's first."},                                                               \
        {.name = "zones",                                                                          \
         .kind = SCHEMA_TEXTS,                                                                     \
         .low = 1,                                                                                 \
         .high = ZONES_MAX,                                                                        \
         .offset = (BASE) + offsetof(struct strategy_terms, zones),                                \
         .place_offset = (BASE) + offsetof(struct strategy_terms, zones_place),                    \
         .help =                                                                                   \
             "The zones of the region in which a gang may run on spot, one at a time, such as "    \
             "`[us-east-1a, us-east-1b]`; all else runs in `zone`."},                              \
        {.name = "span_zones",                                                                     \
         .kind = SCHEMA_FLAG,                                                                      \
         .default_text = "no",                                                                     \
         .offset = (BASE) + offsetof(struct strategy_terms, span_zones),                           \
         .given_offset = (BASE) + offsetof(struct strategy_terms, span_zones_given),               \
         .place_offset = (BASE) + offsetof(struct strategy_terms, span_zones_place),               \
         .help =                                                                                   \
             "The gang stands in all `zones` at once, on demand and on spot: without EFA, and "    \
             "what it synchronises between zones is paid."},                                       \
        {.name = "failover",                                                                       \
         .kind = SCHEMA_CHOICE,                                                                    \
         .choices = zone_rule_names,                                                               \
         .offset = (BASE) + offsetof(struct strategy_terms, failover),                             \
         .place_offset = (BASE) + offsetof(struct strategy_terms, failover_place),                 \
         .help =                                                                                   \
             "Which of the `zones` that can grant the whole gang is asked: the one that costs "    \
             "least now, the one seen obtainable for most of the time so far, or the one it "      \
             "ran in last; default: `cheapest`."},                                                 \
        {.name = "max_price",                                                                      \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_PRICE,                                                             \
         .low = 0,                                                                                 \
         .high = 1e6,                                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, max_price),                            \
         .place_offset = (BASE) + offsetof(struct strategy_terms, max_price_place),                \
         .help = "A gang is not asked for on spot while a node costs more an hour there; the "     \
                 "median counts."},                                                                \
        {.name = "max_hourly",                                                                     \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_PRICE,                                                             \
         .low = 0,                                                                                 \
         .high = 1e9,                                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, max_hourly),                           \
         .place_offset = (BASE) + offsetof(struct strategy_terms, max_hourly_place),               \
         .help = "A gang is not asked for, in whichever way, while all its nodes cost more an "    \
                 "hour at list prices; for each workload by itself; the median counts."},          \
        {.name = "stop_at_budget",                                                                 \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_MONEY,                                                             \
         .low = 0,                                                                                 \
         .high = 9e9,                                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, stop_at_budget),                       \
         .place_offset = (BASE) + offsetof(struct strategy_terms, stop_at_budget_place),           \
         .help =                                                                                   \
             "The work is saved and stopped, for good and not finished, before its nodes have "    \
             "cost so much at list prices; for each workload by itself; the median counts."},      \
        {.name = "policy",                                                                         \
         .kind = SCHEMA_VARIANT,                                                                   \
         .variants = policy_variants,                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, policy),                               \
         .help = "When to ask for which pool: a policy's name, or a mapping of `name` and its "    \
                 "parameters; default: as `buy` says."},                                           \
        {.name = "block",                                                                          \
         .kind = SCHEMA_LIST,                                                                      \
         .inner = &block_schema,                                                                   \
         .list_or_one = true,                                                                      \
         .low = 0,                                                                                 \
         .high = 64,                                                                               \
         .offset = (BASE) + offsetof(struct strategy_terms, block),                                \
         .help = "The Capacity Blocks of `buy: capacity-block`, in the order of time."},           \
        {.name = "fill",                                                                           \
         .kind = SCHEMA_LIST,                                                                      \
         .inner = &fill_schema,                                                                    \
         .low = 1,                                                                                 \
         .high = FILL_ENTRIES_MAX,                                                                 \
         .offset = (BASE) + offsetof(struct strategy_terms, fill),                                 \
         .place_offset = (BASE) + offsetof(struct strategy_terms, fill_place),                     \
         .help = "In place of `buy`, for nodes that are no gang (`kind: usage`): several ways to " \
                 "buy in order, `[{buy: on-demand, nodes: 8}, {buy: spot}, {buy: on-demand}]`."},  \
        {.name = "autoscale",                                                                      \
         .kind = SCHEMA_LIST,                                                                      \
         .variants = autoscaler_variants,                                                          \
         .list_or_one = true,                                                                      \
         .low = 0,                                                                                 \
         .high = 8,                                                                                \
         .offset = (BASE) + offsetof(struct strategy_terms, autoscale),                            \
         .place_offset = (BASE) + offsetof(struct strategy_terms, autoscale_place),                \
         .help = "How many replicas a service has: an autoscaler's name, or a mapping of `name` "  \
                 "and its parameters, or several; default: always as many as `nodes` hold."},      \
        {.name = "min_replicas",                                                                   \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 0,                                                                                 \
         .high = AUTOSCALER_MOST_REPLICAS,                                                         \
         .offset = (BASE) + offsetof(struct strategy_terms, min_replicas),                         \
         .given_offset = (BASE) + offsetof(struct strategy_terms, min_replicas_given),             \
         .place_offset = (BASE) + offsetof(struct strategy_terms, min_replicas_place),             \
         .help = "Fewest replicas of a service that is scaled; default: 1."},                      \
        {.name = "max_replicas",                                                                   \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 0,                                                                                 \
         .high = AUTOSCALER_MOST_REPLICAS,                                                         \
         .offset = (BASE) + offsetof(struct strategy_terms, max_replicas),                         \
         .given_offset = (BASE) + offsetof(struct strategy_terms, max_replicas_given),             \
         .place_offset = (BASE) + offsetof(struct strategy_terms, max_replicas_place),             \
         .help = "Most replicas of a service that is scaled; required with `autoscale`."},         \
        {.name = "warm_up",                                                                        \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_TIME,                                                              \
         .low = 0,                                                                                 \
         .high = 86400,                                                                            \
         .offset = (BASE) + offsetof(struct strategy_terms, warm_up),                              \
         .place_offset = (BASE) + offsetof(struct strategy_terms, warm_up_place),                  \
         .help = "A replica that has become ready serves at once, but counts for the autoscaler "  \
                 "as warming up for so long; default: not at all."},                               \
        {.name = "monitoring",                                                                     \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &monitoring_schema,                                                              \
         .offset = (BASE) + offsetof(struct strategy_terms, monitoring),                           \
         .given_offset = (BASE) + offsetof(struct strategy_terms, monitoring_given),               \
         .place_offset = (BASE) + offsetof(struct strategy_terms, monitoring_place),               \
         .help = "What the autoscalers of a service see, and when; default: exactly what was "     \
                 "since each looked last, at once."},                                              \
        {.name = "footprint",                                                                      \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &footprint_schema,                                                               \
         .offset = (BASE) + offsetof(struct strategy_terms, footprint),                            \
         .given_offset = (BASE) + offsetof(struct strategy_terms, footprint_given),                \
         .place_offset = (BASE) + offsetof(struct strategy_terms, footprint_place),                \
         .help = "What stands of a service beside the replicas that are asked for: spares, and "   \
                 "several zones."},                                                                \
        {.name = "warm_pool",                                                                      \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &warm_pool_schema,                                                               \
         .offset = (BASE) + offsetof(struct strategy_terms, warm_pool),                            \
         .given_offset = (BASE) + offsetof(struct strategy_terms, warm_pool_given),                \
         .place_offset = (BASE) + offsetof(struct strategy_terms, warm_pool_place),                \
         .help = "Stopped nodes of a service, which are started when more are wanted."},           \
        {.name = "own_nodes",                                                                      \
         .kind = SCHEMA_FLAG,                                                                      \
         .offset = (BASE) + offsetof(struct strategy_terms, own_nodes),                            \
         .given_offset = (BASE) + offsetof(struct strategy_terms, own_nodes_given),                \
         .place_offset = (BASE) + offsetof(struct strategy_terms, own_nodes_place),                \
         .default_text = "no",                                                                     \
         .help = "`yes`: a service that stands on shared nodes (`fleet`) has nodes of its own "    \
                 "under this strategy."},                                                          \
        {.name = "stop_when_idle",                                                                 \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_TIME,                                                              \
         .low = 0,                                                                                 \
         .high = 365 * 86400.0,                                                                    \
         .offset = (BASE) + offsetof(struct strategy_terms, stop_when_idle),                       \
         .place_offset = (BASE) + offsetof(struct strategy_terms, stop_when_idle_place),           \
         .help = "Machines that people work on (`kind: notebooks`) are stopped when nobody has "   \
                 "for so long; default: never."},                                                  \
    {                                                                                              \
        .name = "owned", .kind = SCHEMA_LIST, .inner = &owned_schema, .list_or_one = true,         \
        .low = 0, .high = 1, .offset = (BASE) + offsetof(struct strategy_terms, owned),            \
        .help = "The hardware of `buy: owned`."                                                    \
    }

static const struct schema_key terms_keys[] = {TERM_ROWS(0)};

const struct schema strategy_terms_schema = {
    .name = "strategy.workloads",
    SCHEMA_KEYS(terms_keys),
    .size = sizeof(struct strategy_terms),
    .help = "How one workload is bought and run, where that differs from the strategy's own keys.",
};

static const struct schema_key strategy_keys[] = {
    TERM_ROWS(offsetof(struct strategy, terms)),
    {.name = "workloads",
     .kind = SCHEMA_MAP,
     .inner = &strategy_terms_schema,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct strategy, workloads),
     .help = "The same keys again for a workload by its name, where they differ."},
    {.name = "commitments",
     .kind = SCHEMA_LIST,
     .inner = &commitment_schema,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct strategy, commitments),
     .help = "What the strategy signs for: it covers on-demand usage of all its workloads."},
};

const struct schema strategy_schema = {
    .name = "strategy",
    SCHEMA_KEYS(strategy_keys),
    .size = sizeof(struct strategy),
    .help = "One way to buy and run all workloads.",
};

/* What a workload states of its own takes the place of the strategy's: of its nodes, … */
static void take_nodes(struct strategy_terms *t, const struct strategy_terms *own)
{
    if (own->instance != NULL) {
        t->instance = own->instance;
        t->instance_place = own->instance_place;
    }
    if (own->nodes != 0) {
        t->nodes = own->nodes;
        t->nodes_place = own->nodes_place;
    }
    if (own->span_zones_given) {
        t->span_zones = own->span_zones;
        t->span_zones_place = own->span_zones_place;
    }
    if (own->spares_given) {
        t->spares = own->spares;
        t->spares_given = true;
        t->spares_place = own->spares_place;
    }
}

/* … of the way they are bought, … */
static void take_ways(struct strategy_terms *t, const struct strategy_terms *own)
{
    if (own->fill.count > 0) {
        t->buy = t->policy.index = -1;
        t->fill = own->fill;
        t->fill_place = own->fill_place;
    } else if (own->buy >= 0 || own->policy.index >= 0) {
        t->fill = (struct schema_list){0};
    }
    if (own->buy >= 0)
        t->buy = own->buy;
    if (own->policy.index >= 0)
        t->policy = own->policy;
    if (own->block.count > 0)
        t->block = own->block;
    if (own->owned.count > 0)
        t->owned = own->owned;
}

/* … of where, and up to which price, … */
static void take_limits(struct strategy_terms *t, const struct strategy_terms *own)
{
    if (own->zone != NULL || own->zones.count > 0) {
        t->zone = own->zone;
        t->zone_place = own->zone_place;
        t->zones = own->zones;
        t->zones_place = own->zones_place;
    }
    if (own->max_price.given) {
        t->max_price = own->max_price;
        t->max_price_place = own->max_price_place;
    }
    if (own->max_hourly.given) {
        t->max_hourly = own->max_hourly;
        t->max_hourly_place = own->max_hourly_place;
    }
    if (own->stop_at_budget.given) {
        t->stop_at_budget = own->stop_at_budget;
        t->stop_at_budget_place = own->stop_at_budget_place;
    }
    if (own->failover >= 0) {
        t->failover = own->failover;
        t->failover_place = own->failover_place;
    }
}

/* … and of when there are more or fewer. */
static void take_scaling(struct strategy_terms *t, const struct strategy_terms *own)
{
    if (own->autoscale.count > 0) {
        t->autoscale = own->autoscale;
        t->autoscale_place = own->autoscale_place;
    }
    if (own->min_replicas_given) {
        t->min_replicas = own->min_replicas;
        t->min_replicas_place = own->min_replicas_place;
        t->min_replicas_given = true;
    }
    if (own->max_replicas_given) {
        t->max_replicas = own->max_replicas;
        t->max_replicas_place = own->max_replicas_place;
        t->max_replicas_given = true;
    }
    if (own->warm_up.given) {
        t->warm_up = own->warm_up;
        t->warm_up_place = own->warm_up_place;
    }
    if (own->monitoring_given) {
        t->monitoring = own->monitoring;
        t->monitoring_given = true;
        t->monitoring_place = own->monitoring_place;
    }
    if (own->footprint_given) {
        t->footprint = own->footprint;
        t->footprint_given = true;
        t->footprint_place = own->footprint_place;
    }
    if (own->warm_pool_given) {
        t->warm_pool = own->warm_pool;
        t->warm_pool_given = true;
        t->warm_pool_place = own->warm_pool_place;
    }
    if (own->own_nodes_given) {
        t->own_nodes = own->own_nodes;
        t->own_nodes_given = true;
        t->own_nodes_place = own->own_nodes_place;
    }
    if (own->stop_when_idle.given) {
        t->stop_when_idle = own->stop_when_idle;
        t->stop_when_idle_place = own->stop_when_idle_place;
    }
}

struct strategy_terms strategy_terms_for(const struct strategy *s, const char *workload)
{
    const struct strategy_terms *own = s->workloads.items;
    struct strategy_terms t = s->terms;

    t.item = s->item;
    for (size_t i = 0; i < s->workloads.count; i++) {
        if (strcmp(own[i].item.name, workload) == 0) {
            t.item = own[i].item;
            take_nodes(&t, &own[i]);
            take_ways(&t, &own[i]);
            take_limits(&t, &own[i]);
            take_scaling(&t, &own[i]);
            break;
        }
    }
    return t;
}

static const struct policy *find_policy(const char *name)
{
    size_t i = 0;

    while (policy_table[i] != NULL && strcmp(policy_table[i]->schema->name, name) != 0)
        i++;
    return policy_table[i];
}

const struct policy *strategy_policy(const struct strategy_terms *terms, const void **params)
{
    *params = NULL;
    if (terms->policy.index >= 0) {
        *params = terms->policy.params;
        return policy_table[terms->policy.index];
    }
    if (terms->buy < 0)
        return NULL;
    static const char *const of_purchase[] = {
        [PURCHASE_ON_DEMAND] = "on-demand",
        [PURCHASE_SPOT] = "wait",
        [PURCHASE_BLOCK] = "capacity-block",
        [PURCHASE_OWNED] = "owned",
    };
    return find_policy(of_purchase[terms->buy]);
}
