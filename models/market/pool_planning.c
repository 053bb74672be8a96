/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/pool_planning.h"

#include "engine/civil_time.h"
#include "models/market/market_assumed.h"
#include "models/market/market_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Dearest over cheapest zone from which on the user should hear of it. */
#define ZONES_APART 1.5

static bool out_of_memory(const struct market_plan *p, struct place where)
{
    diagnostics_add(p->context.diagnostics, DIAGNOSTIC_FAILURE, where,
                    "out of memory while planning the market");
    return false;
}

static int add_noise(struct market_plan *p, uint64_t source)
{
    for (size_t i = 0; i < p->noise_count; i++) {
        if (p->noise_sources[i] == source) {
            return (int)i;
        }
    }
    if (p->noise_count == p->noise_capacity) {
        size_t capacity = p->noise_capacity == 0 ? 16 : 2 * p->noise_capacity;
        uint64_t *sources = arena_array(p->context.arena, capacity, sizeof *sources);
        if (sources == NULL) {
            return -1;
        }
        if (p->noise_count > 0) {
            memcpy(sources, p->noise_sources, p->noise_count * sizeof *sources);
        }
        p->noise_sources = sources;
        p->noise_capacity = capacity;
    }
    p->noise_sources[p->noise_count] = source;
    return (int)p->noise_count++;
}

/* A standard normal drawn once a replication; the same name is the same input. */
static int add_score(struct market_plan *p, const char *family, const char *place)
{
    char name[160];
    snprintf(name, sizeof name, "market.spot.%s.%s.score", family, place);
    int index = inputs_find(p->context.inputs, name);
    if (index >= 0) {
        return index;
    }
    struct distribution normal = {
        .family = DISTRIBUTION_NORMAL, .p = {0.0, 1.0}, .low = -HUGE_VAL, .high = HUGE_VAL};
    char message[160];
    if (!distribution_prepare(&normal, NULL, message, sizeof message)) {
        return -1;
    }
    return inputs_add(p->context.inputs, name, "", &normal);
}

static bool plan_prior(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    const struct region *region = p->context.region;
    const char *family = pool->info.type->family;
    struct advisor_row row = {.bucket = ADVISOR_UNKNOWN};
    if (pool->spot->bucket < 0) {
        row = catalogue_advisor(p->context.catalogue, pool->info.type->name, region->code,
                                p->context.prices_as_of_unix_s);
    } else if (pool->spot->bucket != SPOT_BUCKET_UNKNOWN) {
        row.bucket = (enum advisor_bucket)pool->spot->bucket;
    }
    pool->prior.prior = spot_prior_of(row.bucket);
    pool->prior.region_score = add_score(p, family, region->code);
    pool->prior.zone_score = add_score(p, family, pool->info.zone);
    if (pool->prior.region_score < 0 || pool->prior.zone_score < 0) {
        return out_of_memory(p, where);
    }
    market_assumed_prior(p, pool, &row);
    return true;
}

static bool plan_hidden(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    if (p->ticks > HIDDEN_MAX_TICKS) {
        diagnostics_add(
            p->context.diagnostics, DIAGNOSTIC_ERROR, where,
            "the capacity of spot pool '%s' cannot be drawn for a horizon of %.4g days; "
            "expected at most ten years, or 'capacity: constant'",
            pool->info.name, p->context.horizon_s / 86400.0);
        return false;
    }
    const char *family = pool->info.type->family;
    const uint64_t sources[HIDDEN_SOURCES] = {
        random_source("market/%s/world", family),
        random_source("market/%s/region/%s", family, p->context.region->code),
        random_source("market/%s/zone/%s/%s", family, pool->info.zone, pool->info.type->name),
    };
    for (int i = 0; i < HIDDEN_SOURCES; i++) {
        pool->noise[i] = add_noise(p, sources[i]);
        if (pool->noise[i] < 0) {
            return out_of_memory(p, where);
        }
    }
    p->path_count++;
    size_t bytes = p->ticks * sizeof(double) * (p->path_count + 2 * p->noise_count);
    if (bytes > MARKET_MAX_MEMORY) {
        diagnostics_add(p->context.diagnostics, DIAGNOSTIC_ERROR, where,
                        "the capacity paths of %zu spot pools over %.4g days would need %zu MiB; "
                        "expected at most %zu; use fewer pools or a shorter horizon",
                        p->path_count, p->context.horizon_s / 86400.0, bytes >> 20,
                        MARKET_MAX_MEMORY >> 20);
        return false;
    }
    if (!pool->spot->availability.given && !plan_prior(p, pool, where)) {
        return false;
    }
    market_assumed_shape(p, pool);
    return true;
}

static bool price_error(const struct market_plan *p, const struct pool_plan *pool,
                        struct place where)
{
    const struct market_context *c = &p->context;
    char text[512];
    if (pool->info.purchase == PURCHASE_ON_DEMAND) {
        catalogue_explain_missing(c->catalogue, pool->info.type->name, c->region->code,
                                  c->start_unix_s, c->prices_as_of_unix_s, text, sizeof text);
    } else {
        catalogue_explain_missing_spot(c->catalogue, pool->info.type->name, c->region->code,
                                       (enum spot_statistic)pool->spot->price_statistic,
                                       c->prices_as_of_unix_s, text, sizeof text);
    }
    diagnostics_add(c->diagnostics, DIAGNOSTIC_INFEASIBLE, where, "%s", text);
    return false;
}

/* What the scenario states of the on-demand price beside a pool; NULL: nothing. */
static const struct number *stated_on_demand(const struct market_plan *p,
                                             const struct pool_plan *pool)
{
    size_t index = 0;
    const struct on_demand_spec *stated = market_names_find(
        &p->spec->on_demand, sizeof *stated, pool->info.zone, pool->info.type->name, &index);
    return stated != NULL && stated->price.given ? &stated->price : NULL;
}

static bool plan_stated_price(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    const struct market_context *c = &p->context;
    money_t price;
    if (!money_from_double(pool->stated->median, &price)) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, where,
                        "the price %g of pool '%s' is beyond what money can hold",
                        pool->stated->median, pool->info.name);
        return false;
    }
    const struct number *stated = stated_on_demand(p, pool);
    const struct dated_price *listed =
        catalogue_on_demand_at(c->catalogue, pool->info.type->name, c->region->code,
                               c->start_unix_s, c->prices_as_of_unix_s);
    money_t regular = 0; /* not known */
    if (stated != NULL && !money_from_double(stated->median, &regular)) {
        regular = 0; /* told where that pool is planned */
    } else if (stated == NULL && listed != NULL) {
        regular = listed->per_hour;
    }
    if (pool->info.purchase == PURCHASE_SPOT && regular > 0 && price > regular) {
        char stated_text[32], regular_text[32];
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, pool->spot->price_place,
                        "the spot price %s %s/h of '%s' is above the on-demand price %s; spot "
                        "is never dearer than on-demand",
                        money_text(price, stated_text), c->region->currency, pool->info.type->name,
                        money_text(regular, regular_text));
    }
    return true;
}

/* Where zones differ much, the mean of them is the price of none. */
static void warn_of_zones(const struct market_plan *p, const struct pool_plan *pool,
                          const struct dated_price *row, struct place where)
{
    const struct market_context *c = &p->context;
    struct price_span zones;
    if (pool->spot->price_statistic_given || !market_zone_prices(p, pool, row, &zones)) {
        return;
    }
    double low = money_to_double(zones.low), high = money_to_double(zones.high);
    if (high <= ZONES_APART * low) {
        return;
    }
    char date[24];
    diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, where,
                    "spot prices of '%s' differed %.2g-fold between the zones of %s on %s, %.4g to "
                    "%.4g %s/h; their mean, %.4g, is assumed: choose 'price_statistic' or state "
                    "'price: %.3g..%.3g %s/h' in 'market.spot.%s'",
                    pool->info.type->name, high / low, c->region->code,
                    civil_date_text(row->from_unix_s, date), low, high, c->region->currency,
                    money_to_double(row->per_hour), low, high, c->region->currency,
                    pool->info.type->name);
}

static bool plan_price(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    const struct market_context *c = &p->context;
    const char *type = pool->info.type->name;
    if (pool->stated->given) {
        return plan_stated_price(p, pool, where);
    }
    if (pool->replay != NULL && pool->replay->price.count > 0) {
        /* What planning sees: the mean of the trace. */
        pool->price =
            pool_price_constant((money_t)llround(replay_mean(&pool->replay->price)), c->arena);
        return pool->price.count > 0 || out_of_memory(p, where);
    }
    if (pool->info.purchase == PURCHASE_ON_DEMAND) {
        const struct dated_price *row;
        pool->price = pool_price_on_demand(c->catalogue, type, c->region->code, c->start_unix_s,
                                           c->prices_as_of_unix_s, c->arena, &row);
        if (row == NULL) {
            return price_error(p, pool, where);
        }
        market_assumed_on_demand_price(p, pool, row);
    } else {
        struct dated_price row;
        if (!catalogue_spot(c->catalogue, type, c->region->code, pool->info.zone,
                            (enum spot_statistic)pool->spot->price_statistic,
                            c->prices_as_of_unix_s, &row)) {
            return price_error(p, pool, where);
        }
        pool->price = pool_price_constant(row.per_hour, c->arena);
        market_assumed_spot_price(p, pool, &row);
        warn_of_zones(p, pool, &row, where);
    }
    return pool->price.count > 0 || out_of_memory(p, where);
}

static uint32_t most_nodes(int64_t stated)
{
    return stated > 0 && stated < UINT32_MAX ? (uint32_t)stated : UINT32_MAX;
}

/* Prices of zones of a region move together; those of types do not. */
static bool plan_regimes(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    const struct market_context *c = &p->context;
    const char *type = pool->info.type->name, *region = c->region->code;
    const struct number *stated = stated_on_demand(p, pool);
    const struct dated_price *listed =
        catalogue_on_demand_at(c->catalogue, type, region, c->start_unix_s, c->prices_as_of_unix_s);
    if (stated != NULL) {
        pool->regular = stated;
    } else if (listed != NULL) {
        pool->regular_listed = listed->per_hour;
    } else {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_INFEASIBLE, where,
                        "price model 'regimes' of spot '%s' moves between a floor and the "
                        "on-demand price, which is not known; state it in 'market.on-demand'",
                        type);
        return false;
    }
    pool->regimes = arena_alloc(c->arena, sizeof *pool->regimes);
    if (pool->regimes == NULL) {
        return out_of_memory(p, where);
    }
    *pool->regimes = (struct price_regime_sources){
        .regime_common = random_source("market/price-regimes/%s/%s/regime", region, type),
        .regime_own = random_source("market/price-regimes/%s/%s/regime", pool->info.zone, type),
        .target_common = random_source("market/price-regimes/%s/%s/target", region, type),
        .target_own = random_source("market/price-regimes/%s/%s/target", pool->info.zone, type)};
    market_assumed_regimes(p, pool);
    return true;
}

/* Said even where the price may come down later. */
static void warn_of_max_price(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct spot_spec *s = pool->spot;
    double price = pool->price.count > 0 ? money_to_double(pool->price.steps[0].per_hour)
                                         : pool->stated->median;
    if (s->max_price.given && price > s->max_price.median) {
        diagnostics_add(p->context.diagnostics, DIAGNOSTIC_WARNING, s->max_price_place,
                        "the spot price %.6g %s/h of '%s' in '%s', as planning knows it, is above "
                        "its 'max_price' %.6g: nothing is granted while that is so",
                        price, p->context.region->currency, pool->info.type->name, pool->info.zone,
                        s->max_price.median);
    }
}

/* A trace says nothing of more nodes than it counted. */
static bool plan_replay(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    pool->replay = replay_plan_new(&p->replays, pool->spot, &pool->info, where, &p->context);
    if (pool->replay != NULL && pool->kind == CAPACITY_REPLAY) {
        pool->nodes =
            pool->replay->most_nodes < pool->nodes ? pool->replay->most_nodes : pool->nodes;
    }
    return pool->replay != NULL;
}

bool pool_planning_spot(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    size_t index = 0;
    const struct spot_spec *entry = market_names_find(
        &p->spec->spot, sizeof *entry, pool->info.zone, pool->info.type->name, &index);
    if (entry != NULL && !p->spot_good[index]) {
        return false; /* told already */
    }
    pool->spot = entry != NULL ? entry : &p->default_spot;
    pool->stated = &pool->spot->price;
    pool->nodes = most_nodes(pool->spot->nodes);
    pool->kind = pool_terms_spot_kind(pool->spot);
    pool->on_off_source =
        random_source("market/on-off/%s/%s", pool->info.zone, pool->info.type->name);
    if (pool->spot->trace.file != NULL && !plan_replay(p, pool, where)) {
        return false;
    }
    bool priced = plan_price(p, pool, where);
    if (pool->kind == CAPACITY_HIDDEN && !plan_hidden(p, pool, where)) {
        return false;
    }
    market_assumed_turns(p, pool);
    market_assumed_spot_rules(p, pool);
    if (priced && pool->spot->price_model == PRICE_MODEL_REGIMES) {
        priced = plan_regimes(p, pool, where);
    }
    if (priced) {
        warn_of_max_price(p, pool);
    }
    return priced;
}

bool pool_planning_on_demand(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    size_t index = 0;
    const struct on_demand_spec *entry = market_names_find(
        &p->spec->on_demand, sizeof *entry, pool->info.zone, pool->info.type->name, &index);
    if (entry != NULL && !p->on_demand_good[index]) {
        return false;
    }
    pool->on_demand = entry != NULL ? entry : &p->default_on_demand;
    pool->stated = &pool->on_demand->price;
    pool->nodes = most_nodes(pool->on_demand->limit);
    pool->kind = CAPACITY_CONSTANT;
    market_assumed_on_demand_capacity(p, pool);
    return plan_price(p, pool, where);
}
