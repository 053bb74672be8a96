/* SPDX-License-Identifier: GPL-3.0-or-later
 * Builds the plan: which pools there are, where their prices and parameters come from, and what had
 * to be assumed. */
#include "models/market/market_plan.h"

#include "engine/civil_time.h"
#include "models/market/market_assumed.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Dearest over cheapest zone from which on the user should hear of it. */
#define ZONES_APART 1.5

const char *const purchase_names[] = {"on-demand", "spot", "capacity-block", "owned", NULL};

/* ---- names ------------------------------------------------------------------------------------
 */

/* "us-east-1a", "us-east-1-bos-1a": the region's code and something more. */
static bool zone_in_region(const char *zone, size_t length, const char *region)
{
    size_t code = strlen(region);
    if (length <= code || length > 48 || strncmp(zone, region, code) != 0) {
        return false;
    }
    for (size_t i = code; i < length; i++) {
        char c = zone[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
            return false;
        }
    }
    return true;
}

static bool check_type(const struct market_plan *p, const char *type, struct place where)
{
    if (catalogue_type(p->context.catalogue, type) != NULL) {
        return true;
    }
    const char *near = catalogue_suggest_type(p->context.catalogue, type);
    diagnostics_add(p->context.diagnostics, DIAGNOSTIC_ERROR, where,
                    near != NULL
                        ? "unknown instance type '%s'; did you mean '%s'?"
                        : "unknown instance type '%s'; 'fleetcast show instances' lists them",
                    type, near);
    return false;
}

static bool check_zone(const struct market_plan *p, const char *zone, size_t length,
                       struct place where)
{
    const struct region *region = p->context.region;
    if (zone_in_region(zone, length, region->code)) {
        return true;
    }
    diagnostics_add(p->context.diagnostics, DIAGNOSTIC_ERROR, where,
                    "'%.*s' is not a zone of region '%s'; expected a name such as '%s'",
                    (int)(length < 64 ? length : 64), zone, region->code, region->first_zone);
    return false;
}

/* An entry's name: TYPE or ZONE/TYPE. */
static bool check_name(const struct market_plan *p, const struct schema_item *item)
{
    const char *slash = strchr(item->name, '/');
    if (slash == NULL) {
        return check_type(p, item->name, item->place);
    }
    bool zone = check_zone(p, item->name, (size_t)(slash - item->name), item->place);
    return check_type(p, slash + 1, item->place) && zone;
}

static bool entry_is(const struct schema_item *item, const char *zone, const char *type)
{
    const char *slash = strchr(item->name, '/');
    if (zone == NULL) {
        return strcmp(item->name, type) == 0;
    }
    size_t length = strlen(zone);
    return slash != NULL && (size_t)(slash - item->name) == length &&
           strncmp(item->name, zone, length) == 0 && strcmp(slash + 1, type) == 0;
}

/* The entry for the zone, else the plain one, else NULL. */
static const void *find_entry(const struct schema_list *list, size_t size, const char *zone,
                              const char *type, size_t *index)
{
    const void *plain = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct schema_item *item =
            (const struct schema_item *)((const char *)list->items + i * size);
        if (entry_is(item, zone, type)) {
            *index = i;
            return item;
        }
        if (entry_is(item, NULL, type)) {
            *index = i;
            plain = item;
        }
    }
    return plain;
}

/* ---- the plan ---------------------------------------------------------------------------------
 */

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
        bool name = check_name(p, &spot[i].item);
        p->spot_good[i] = pool_terms_check_spot(&spot[i], context.diagnostics) && name;
    }
    if (!replay_files_read(&p->replays, &spec->spot, p->spot_good, &p->context)) {
        return NULL;
    }
    const struct on_demand_spec *on_demand = spec->on_demand.items;
    for (size_t i = 0; i < spec->on_demand.count; i++) {
        bool name = check_name(p, &on_demand[i].item);
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

/* ---- one pool ---------------------------------------------------------------------------------
 */

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
    const struct dated_price *regular =
        catalogue_on_demand_at(c->catalogue, pool->info.type->name, c->region->code,
                               c->start_unix_s, c->prices_as_of_unix_s);
    if (pool->info.purchase == PURCHASE_SPOT && regular != NULL && price > regular->per_hour) {
        char stated_text[32], regular_text[32];
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, pool->spot->price_place,
                        "the spot price %s %s/h of '%s' is above the on-demand price %s; spot "
                        "is never dearer than on-demand",
                        money_text(price, stated_text), c->region->currency, pool->info.type->name,
                        money_text(regular->per_hour, regular_text));
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
    const char *type = pool->info.type->name, *region = c->region->code, *zone = pool->info.zone;
    size_t index = 0;
    const struct on_demand_spec *stated =
        find_entry(&p->spec->on_demand, sizeof *stated, zone, type, &index);
    const struct dated_price *listed =
        catalogue_on_demand_at(c->catalogue, type, region, c->start_unix_s, c->prices_as_of_unix_s);
    if (stated != NULL && stated->price.given) {
        pool->regular = &stated->price;
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
        .regime_own = random_source("market/price-regimes/%s/%s/regime", zone, type),
        .target_common = random_source("market/price-regimes/%s/%s/target", region, type),
        .target_own = random_source("market/price-regimes/%s/%s/target", zone, type)};
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

static bool plan_spot(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    size_t index = 0;
    const struct spot_spec *entry =
        find_entry(&p->spec->spot, sizeof *entry, pool->info.zone, pool->info.type->name, &index);
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

static bool plan_on_demand(struct market_plan *p, struct pool_plan *pool, struct place where)
{
    size_t index = 0;
    const struct on_demand_spec *entry = find_entry(&p->spec->on_demand, sizeof *entry,
                                                    pool->info.zone, pool->info.type->name, &index);
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
    if (!check_type(p, type, where) || !check_zone(p, *zone, strlen(*zone), where)) {
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
    bool good =
        purchase == PURCHASE_SPOT ? plan_spot(p, pool, where) : plan_on_demand(p, pool, where);
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
