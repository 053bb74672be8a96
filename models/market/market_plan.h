/* SPDX-License-Identifier: GPL-3.0-or-later
 * The inside of a market's plan, shared by market_plan.c (which builds it) and market.c (which runs
 * worlds on it). Others use market.h. */
#ifndef FLEETCAST_MODELS_MARKET_PLAN_H
#define FLEETCAST_MODELS_MARKET_PLAN_H

#include "models/market/market.h"
#include "models/market/market_keys.h"
#include "models/market/pool_price.h"
#include "models/market/pool_terms.h"
#include "models/market/price_outlook.h"
#include "models/market/price_regimes.h"
#include "models/market/replay_plan.h"

/* Most pools of one plan, and most memory of one thread's paths: beyond, the scenario is refused.
 */
#define MARKET_MAX_POOLS  1000
#define MARKET_MAX_MEMORY ((size_t)512 << 20)

struct pool_plan {
    struct pool_info info;
    enum capacity_kind kind;
    uint32_t nodes;                         /* most nodes ever; UINT32_MAX = no limit */
    const struct spot_spec *spot;           /* NULL unless spot */
    const struct on_demand_spec *on_demand; /* NULL unless on-demand */
    const struct market_window *windows;    /* WINDOWS, else NULL */
    size_t window_count;
    const void *owner;       /* WINDOWS */
    struct pool_price price; /* count 0: `stated` holds; WINDOWS: at the medians */
    const struct number *stated;
    int reach;                    /* of price changes to come; index into the outlook's */
    struct threshold_prior prior; /* hidden, when availability is not given */
    int noise[HIDDEN_SOURCES];    /* hidden: indices into the plan's noise sources */
    uint64_t on_off_source;
    struct price_regime_sources *regimes; /* price_model: regimes, else NULL */
    const struct number *regular; /* with regimes: the stated on-demand price, or NULL … */
    money_t regular_listed;       /* … and the catalogue's at the start */
    struct pool_quota quota;
    const struct replay_plan *replay; /* capacity or price replayed, else NULL */
};

struct market_plan {
    struct market_context context;
    const struct market_spec *spec;
    struct spot_spec default_spot;
    struct on_demand_spec default_on_demand;
    bool *spot_good, *on_demand_good; /* by entry of the spec */
    struct pool_plan **pools;
    size_t pool_count, pool_capacity;
    uint64_t *noise_sources; /* at most HIDDEN_SOURCES * MARKET_MAX_POOLS */
    size_t noise_count, noise_capacity;
    struct price_outlook outlook;
    struct account_quotas quotas;
    struct replay_files replays;
    size_t path_count; /* hidden pools */
    size_t ticks;      /* of a hidden path: the horizon and one step more */
};

/* The type, and the zone (*zone NULL: the region's first) checked; NULL when either is unknown. */
const struct instance_type *market_plan_place(const struct market_plan *p, const char **zone,
                                              const char *type, struct place where);
/* A pool for the plan, not yet in it: the caller fills it in and appends it. NULL when there is no
 * room. */
struct pool_plan *market_plan_new_pool(struct market_plan *p, const char *zone,
                                       const struct instance_type *type, enum purchase purchase,
                                       struct place where);

/* What the zones of the region ask on the date of `row`, the pool's spot price from the catalogue.
 * False when the zones are not told apart. */
struct price_span {
    money_t low, high;
};
bool market_zone_prices(const struct market_plan *p, const struct pool_plan *pool,
                        const struct dated_price *row, struct price_span *out);

#endif
