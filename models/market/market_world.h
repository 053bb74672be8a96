/* SPDX-License-Identifier: GPL-3.0-or-later
 * The inside of one thread's market, shared by market.c (which answers questions) and
 * market_world.c (which begins a world with what was drawn for it). Others use market.h. */
#ifndef FLEETCAST_MODELS_MARKET_WORLD_H
#define FLEETCAST_MODELS_MARKET_WORLD_H

#include "models/market/hidden_process.h"
#include "models/market/market_plan.h"
#include "models/market/node_life.h"
#include "models/market/on_off.h"
#include "models/market/price_paths.h"

struct window_cost {
    money_t total, per_hour;
};

struct pool_state {
    const struct pool_plan *plan;
    money_t price;               /* of a stated price */
    bool steady_price;           /* which is `price`, always */
    struct window_cost *windows; /* WINDOWS: by window */
    struct life_law life;        /* zeroed but of spot: none */
    double notice_s;
    struct rebalance rebalance;
    struct distribution delay;                 /* spot: regain; on-demand: wait */
    bool delayed;                              /* false: `delay` is 0 for certain */
    struct hidden_path path;                   /* hidden */
    struct on_off on_off;                      /* on-off, hyperexponential */
    struct replay_path nodes_path, price_path; /* replayed */
    struct price_regime_path regimes;          /* price_model: regimes */
    money_t max_price;                         /* INT64_MAX: none */
    /* Hidden: the stretch of ticks [from, to) last asked for, in which min(K, cap) is `nodes`;
     * between two changes all questions fall into it. Empty when from == to. */
    struct {
        size_t from, to;
        bool complete; /* `to` is the next change, not just the next tick */
        uint32_t cap, nodes;
        double at_s; /* the last instant that was asked for */
    } stretch;
};

struct market {
    const struct market_plan *plan;
    struct pool_state *pools;
    struct hidden_noise *noise;
    struct price_paths prices; /* changes to come */
    double reach_s;            /* no change is told beyond */
    char message[256];
};

/* True when the pool's price is that of a trace. */
bool market_world_replays_price(const struct pool_state *s);

#endif
