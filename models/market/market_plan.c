/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which pools the plan has; what is in one: pool_planning.c. */
#include "models/market/market_plan.h"

#include "models/market/market_names.h"
#include "models/market/pool_planning.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const purchase_names[] = {"on-demand", "spot", "capacity-block", "owned", NULL};

struct market_plan *market_plan_new(const struct market_spec *spec, struct market_context context)
{
    struct market_plan *p = arena_alloc(context.arena, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->context = context;
    p->spec = spec;
    p->default_spot = spot_spec_default();
    p->default_on_demand = on_demand_spec_default();
    p->ticks = (size_t)(fmin(fmax(context.horizon_s, 0.0), 1e12) / HIDDEN_STEP_S) + 2;
    p->spot_good = arena_alloc(context.arena, spec->spot.count + 1);
    p->on_demand_good = arena_alloc(context.arena, spec->on_demand.count + 1);
    if (p->spot_good == NULL || p->on_demand_good == NULL ||
        !price_outlook_init(&p->outlook, spec, &context) ||
        !account_quotas_init(&p->quotas, &spec->quotas, context.catalogue, context.arena,
                             context.diagnostics)) {
        return NULL;
    }
    const struct spot_spec *spot = spec->spot.items;
    for (size_t i = 0; i < spec->spot.count; i++) {
        bool name = market_names_entry(&p->context, &spot[i].item);
        p->spot_good[i] = pool_terms_check_spot(&spot[i], context.diagnostics) && name;
    }
    if (!replay_files_read(&p->replays, &spec->spot, p->spot_good, &p->context)) {
        return NULL;
    }
    const struct on_demand_spec *on_demand = spec->on_demand.items;
    for (size_t i = 0; i < spec->on_demand.count; i++) {
        bool name = market_names_entry(&p->context, &on_demand[i].item);
        p->on_demand_good[i] =
            pool_terms_check_on_demand(&on_demand[i], context.diagnostics) && name;
    }
    return p;
}

struct pool_quota market_plan_quota(const struct market_plan *p, int pool)
{
    assert(pool >= 0 && (size_t)pool < p->pool_count);
    return p->pools[pool]->quota;
}

size_t market_plan_pools(const struct market_plan *p)
{
    return p->pool_count;
}

int market_plan_offer(struct market_plan *p, const char *type)
{
    const struct instance_type *instance = catalogue_type(p->context.catalogue, type);
    return instance == NULL ? -1 : price_outlook_reach(&p->outlook, instance, PURCHASE_ON_DEMAND);
}

const struct pool_info *market_pool_info(const struct market_plan *p, int pool)
{
    assert(pool >= 0 && (size_t)pool < p->pool_count);
    return &p->pools[pool]->info;
}

static bool out_of_memory(const struct market_plan *p, struct place where)
{
    diagnostics_add(p->context.diagnostics, DIAGNOSTIC_FAILURE, where,
                    "out of memory while planning the market");
    return false;
}

static int find_pool(const struct market_plan *p, const char *zone,
                     const struct instance_type *type, enum purchase purchase)
{
    for (size_t i = 0; i < p->pool_count; i++) {
        const struct pool_info *info = &p->pools[i]->info;
        if (info->type == type && info->purchase == purchase && strcmp(info->zone, zone) == 0 &&
            p->pools[i]->windows == NULL) {
            return (int)i;
        }
    }
    return -1;
}

static bool reserve_pool(struct market_plan *p, struct place where)
{
    if (p->pool_count == MARKET_MAX_POOLS) {
        diagnostics_add(p->context.diagnostics, DIAGNOSTIC_ERROR, where,
                        "the strategies use more than %d pools (instance type, zone, way to buy)",
                        MARKET_MAX_POOLS);
        return false;
    }
    if (p->pool_count == p->pool_capacity) {
        size_t capacity = p->pool_capacity == 0 ? 16 : 2 * p->pool_capacity;
        struct pool_plan **pools =
            arena_array(p->context.arena, capacity, sizeof(struct pool_plan *));
        if (pools == NULL) {
            return out_of_memory(p, where);
        }
        if (p->pool_count > 0) {
            memcpy(pools, p->pools, p->pool_count * sizeof(struct pool_plan *));
        }
        p->pools = pools;
        p->pool_capacity = capacity;
    }
    return true;
}

const struct instance_type *market_plan_place(const struct market_plan *p, const char **zone,
                                              const char *type, struct place where)
{
    *zone = *zone != NULL ? *zone : p->context.region->first_zone;
    if (!market_names_type(&p->context, type, where) ||
        !market_names_zone(&p->context, *zone, strlen(*zone), where)) {
        return NULL;
    }
    return catalogue_type(p->context.catalogue, type);
}

struct pool_plan *market_plan_new_pool(struct market_plan *p, const char *zone,
                                       const struct instance_type *type, enum purchase purchase,
                                       struct place where)
{
    if (!reserve_pool(p, where)) {
        return NULL;
    }
    struct pool_plan *pool = arena_alloc(p->context.arena, sizeof *pool);
    if (pool != NULL) {
        pool->info = (struct pool_info){
            .zone = arena_string(p->context.arena, zone),
            .type = type,
            .purchase = purchase,
            .name = arena_format(p->context.arena, "%s/%s/%s", zone, type->name,
                                 purchase_names[purchase]),
        };
    }
    if (pool == NULL || pool->info.zone == NULL || pool->info.name == NULL) {
        out_of_memory(p, where);
        return NULL;
    }
    return pool;
}

int market_plan_pool(struct market_plan *p, const char *zone, const char *type,
                     enum purchase purchase, struct place where)
{
    assert(purchase == PURCHASE_ON_DEMAND || purchase == PURCHASE_SPOT);
    const struct instance_type *instance = market_plan_place(p, &zone, type, where);
    if (instance == NULL) {
        return -1;
    }
    int index = find_pool(p, zone, instance, purchase);
    if (index >= 0) {
        return index;
    }
    struct pool_plan *pool = market_plan_new_pool(p, zone, instance, purchase, where);
    if (pool == NULL) {
        return -1;
    }
    bool good = purchase == PURCHASE_SPOT ? pool_planning_spot(p, pool, where)
                                          : pool_planning_on_demand(p, pool, where);
    if (!good) {
        return -1;
    }
    pool->quota = account_quotas_of(&p->quotas, instance,
                                    purchase == PURCHASE_SPOT ? QUOTA_SPOT : QUOTA_ON_DEMAND);
    pool->reach = price_outlook_reach(&p->outlook, instance, purchase);
    if (pool->reach < 0) {
        out_of_memory(p, where);
        return -1;
    }
    p->pools[p->pool_count] = pool;
    return (int)p->pool_count++;
}
