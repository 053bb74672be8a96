/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a pool: the keys of `market.spot.NAME` and `market.on-demand.NAME`,
 * NAME being TYPE or ZONE/TYPE. An entry for ZONE/TYPE replaces the plain one in that zone; nothing
 * is inherited. */
#ifndef FLEETCAST_MODELS_MARKET_KEYS_H
#define FLEETCAST_MODELS_MARKET_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/market/rebalance.h"
#include "models/market/replay_keys.h"

#include <stdbool.h>
#include <stdint.h>

/* -1: nothing was said. */
enum spot_capacity {
    SPOT_DEFAULT = -1,
    SPOT_HIDDEN,
    SPOT_ON_OFF,
    SPOT_CONSTANT,
    SPOT_REPLAY,
    SPOT_HYPEREXPONENTIAL
};
enum spot_lifetimes { LIFETIMES_NONE = -1, LIFETIMES_BATHTUB };
enum price_model { PRICE_MODEL_CONSTANT, PRICE_MODEL_REPLAY, PRICE_MODEL_REGIMES };
#define SPOT_BUCKET_UNKNOWN 5
enum spot_season { SPOT_SEASON_DEFAULT, SPOT_SEASON_NONE };
enum on_demand_capacity {
    ON_DEMAND_DEFAULT = -1,
    ON_DEMAND_ALWAYS,
    ON_DEMAND_WAIT,
    ON_DEMAND_LIMIT
};

struct spot_spec {
    struct schema_item item;
    struct number price;      /* per hour; not given: the catalogue's */
    struct place price_place; /* where it was written */
    int price_statistic;      /* enum spot_statistic */
    bool price_statistic_given;
    int capacity;                       /* enum spot_capacity */
    struct number availability, losses; /* share; per second of the calendar */
    int bucket; /* -1: the catalogue's, else enum advisor_bucket, or SPOT_BUCKET_UNKNOWN */
    int season; /* enum spot_season */
    struct number season_amplitude, weekend_shift, best_hour;
    struct number node_slope;
    struct number short_time, long_time, short_weight;
    struct number mean_up, mean_down; /* seconds */
    struct number up_short_share, up_long_ratio, down_short_share, down_long_ratio;
    int64_t nodes;               /* 0: no limit */
    struct number interruptions; /* of one node, per second of running */
    struct number notice;        /* seconds */
    struct variate regain;       /* seconds */
    bool first_hour_free;
    struct replay_spec trace;
    int lifetimes;                           /* enum spot_lifetimes */
    struct variate lifetime;                 /* seconds */
    struct number early_share, lifetime_cap; /* share; seconds */
    int price_model;                         /* enum price_model */
    struct number price_floor;               /* share of on-demand */
    struct number max_price;                 /* per hour */
    struct place max_price_place;
    struct rebalance_spec rebalance;
};

struct on_demand_spec {
    struct schema_item item;
    struct number price;
    struct place price_place;
    int capacity;        /* enum on_demand_capacity */
    struct variate wait; /* seconds */
    int64_t limit;       /* 0: none */
};

extern const struct schema spot_schema;
extern const struct schema on_demand_schema;
extern const char *const spot_capacity_names[];      /* "hidden", "on-off", …, NULL */
extern const char *const on_demand_capacity_names[]; /* "always", "wait", …, NULL */

/* The spec of a pool of which the scenario says nothing: every default as the schema states it. */
struct spot_spec spot_spec_default(void);
struct on_demand_spec on_demand_spec_default(void);

#endif
