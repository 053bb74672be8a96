/* SPDX-License-Identifier: GPL-3.0-or-later
 * Defaults are written once, in the schema's own words, and read from there for pools without an
 * entry too. */
#include "models/market/market_keys.h"

#include "models/catalogue/catalogue.h"
#include "models/market/market.h"

#include <assert.h>
#include <string.h>

#define HOUR_S 3600.0
#define YEAR_S (365.0 * 86400.0)

const char *const spot_capacity_names[] = {"hidden", "on-off",           "constant",
                                           "replay", "hyperexponential", NULL};
const char *const on_demand_capacity_names[] = {"always", "wait", "limit", NULL};
static const char *const lifetimes_names[] = {"bathtub", NULL};
static const char *const price_model_names[] = {"constant", "replay", "regimes", NULL};
static const char *const bucket_names[] = {"<5%",  "5-10%",   "10-15%", "15-20%",
                                           ">20%", "unknown", NULL};
static const char *const season_names[] = {"default", "none", NULL};
static const char *const interruption_words[] = {"none", NULL};

#define SPOT(member) offsetof(struct spot_spec, member)

static const struct schema_key spot_keys[] = {
    {.name = "price",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = 1e6,
     .offset = SPOT(price),
     .place_offset = SPOT(price_place),
     .help =
         "Price of one instance, never 0; default: the newest spot price in the catalogue known at "
         "`prices_as_of`, listed under \"assumed\"."},
    {.name = "price_statistic",
     .kind = SCHEMA_CHOICE,
     .choices = spot_statistic_names,
     .default_text = "mean",
     .offset = SPOT(price_statistic),
     .given_offset = SPOT(price_statistic_given),
     .help = "Which statistic over the region's zones the catalogue's price is."},
    {.name = "capacity",
     .kind = SCHEMA_CHOICE,
     .choices = spot_capacity_names,
     .offset = SPOT(capacity),
     .help =
         "How capacity comes and goes: `hidden` (the hidden Gaussian process), `on-off` "
         "(exponential times), `constant`, `replay` (a `trace`), `hyperexponential` (short and "
         "long times); default: on-off when `mean_up` is given, replay when a `trace` is, constant "
         "when of all keys on capacity only `interruptions` is, else hidden."},
    {.name = "availability",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .offset = SPOT(availability),
     .help = "Share of time in which one node can be had (hidden, hyperexponential); default, if "
             "hidden: drawn per replication from what the Advisor's bucket suggests."},
    {.name = "losses",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 0,
     .high = 1,
     .offset = SPOT(losses),
     .help = "How often one node's availability ends, per calendar day (`4.6/d`); sets the short "
             "relaxation time (hidden) or both mean times (hyperexponential)."},
    {.name = "bucket",
     .kind = SCHEMA_CHOICE,
     .choices = bucket_names,
     .offset = SPOT(bucket),
     .help = "The Spot Instance Advisor's bucket, used where `availability` is not given "
             "(hidden); never read as a monthly hazard."},
    {.name = "season",
     .kind = SCHEMA_CHOICE,
     .choices = season_names,
     .default_text = "default",
     .offset = SPOT(season),
     .help = "`none`: no hour of the day and no weekend (hidden)."},
    {.name = "season_amplitude",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 5,
     .default_text = "0.3",
     .offset = SPOT(season_amplitude),
     .help = "Swing of the threshold over the day, in probits (hidden)."},
    {.name = "weekend_shift",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = -5,
     .high = 5,
     .default_text = "0.4",
     .offset = SPOT(weekend_shift),
     .help = "How much easier Saturdays and Sundays are, in probits (hidden)."},
    {.name = "best_hour",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 24,
     .default_text = "3",
     .offset = SPOT(best_hour),
     .help = "Hour of the day, in the region's standard time, with most capacity (hidden)."},
    {.name = "node_slope",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 2,
     .default_text = "0.1",
     .offset = SPOT(node_slope),
     .help = "How much harder more nodes are: node k wants a margin of slope times ln k (hidden); "
             "0: all or none."},
    {.name = "short_time",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = YEAR_S,
     .default_text = "2h",
     .offset = SPOT(short_time),
     .help = "Short relaxation time (hidden)."},
    {.name = "long_time",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = YEAR_S,
     .default_text = "48h",
     .offset = SPOT(long_time),
     .help = "Long relaxation time: good and bad days (hidden)."},
    {.name = "short_weight",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0.5",
     .offset = SPOT(short_weight),
     .help = "Share of the variance with the short relaxation time (hidden)."},
    {.name = "mean_up",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 100 * YEAR_S,
     .offset = SPOT(mean_up),
     .help = "Mean time for which the pool is there (on-off, hyperexponential)."},
    {.name = "mean_down",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 100 * YEAR_S,
     .offset = SPOT(mean_down),
     .help = "Mean time for which the pool is gone (on-off, hyperexponential)."},
    {.name = "nodes",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e9,
     .offset = SPOT(nodes),
     .help = "Most nodes that the pool ever has; default: no limit."},
    {.name = "interruptions",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_HAZARD,
     .low = 0,
     .high = 1,
     .choices = interruption_words,
     .offset = SPOT(interruptions),
     .help = "Rate at which a single running node is interrupted (`0.2/h`), or the mean time "
             "between (`14h`), on top of the pool's capacity; default: none."},
    {.name = "notice",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 86400,
     .default_text = "120s",
     .offset = SPOT(notice),
     .help = "Time between the notice of an interruption and the node's end."},
    {.name = "regain",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = YEAR_S,
     .default_text = "0s",
     .offset = SPOT(regain),
     .help = "Time after an interruption in which nothing is granted."},
    {.name = "first_hour_free",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = SPOT(first_hour_free),
     .help = "An instance that the cloud interrupts in its first hour is not billed."},
    {.name = "lifetime",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 100 * YEAR_S,
     .offset = SPOT(lifetime),
     .help = "How long a node runs until it is interrupted, drawn at each launch, on top of the "
             "pool's capacity: `weibull(0.58; 5.3h)`; in place of `interruptions`."},
    {.name = "lifetimes",
     .kind = SCHEMA_CHOICE,
     .choices = lifetimes_names,
     .offset = SPOT(lifetimes),
     .help = "`bathtub`: capped instances, of which 42.5 % die early by weibull(0.58; 5.3h) and "
             "all others end at 24 h; `early_share`, `lifetime` and `lifetime_cap` change that."},
    {.name = "early_share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .offset = SPOT(early_share),
     .help = "Share of launches that have the `lifetime`; the others end at the `lifetime_cap`."},
    {.name = "lifetime_cap",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 100 * YEAR_S,
     .offset = SPOT(lifetime_cap),
     .help = "Age at which every node is interrupted."},
    {.name = "trace",
     .kind = SCHEMA_SECTION,
     .inner = &replay_schema,
     .offset = SPOT(trace),
     .help = "The trace that `capacity: replay` and `price_model: replay` follow."},
    {.name = "price_model",
     .kind = SCHEMA_CHOICE,
     .choices = price_model_names,
     .default_text = "constant",
     .offset = SPOT(price_model),
     .help = "How the price moves: `constant`, `replay` (the price column of the `trace`), or "
             "`regimes` (for months: a weekly chain from floor to low and high, with ramps)."},
    {.name = "price_floor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0.01,
     .high = 1,
     .offset = SPOT(price_floor),
     .help = "Lowest price as a share of on-demand (regimes); default: 30 %, or the price at the "
             "start where that is lower."},
    {.name = "max_price",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = 1e6,
     .offset = SPOT(max_price),
     .place_offset = SPOT(max_price_place),
     .help = "Most that is paid for an instance hour: while the price is above it nothing is "
             "granted, and what runs is interrupted; default: no maximum."},
    {.name = "up_short_share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0.67",
     .offset = SPOT(up_short_share),
     .help = "Share of short ones among the times for which the pool is there "
             "(hyperexponential)."},
    {.name = "up_long_ratio",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e4,
     .default_text = "13.5",
     .offset = SPOT(up_long_ratio),
     .help = "Mean of the long ones over the mean of the short ones (hyperexponential)."},
    {.name = "down_short_share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0.8",
     .offset = SPOT(down_short_share),
     .help = "Share of short ones among the times for which the pool is gone "
             "(hyperexponential)."},
    {.name = "down_long_ratio",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e4,
     .default_text = "13",
     .offset = SPOT(down_long_ratio),
     .help = "Mean of the long ones over the mean of the short ones (hyperexponential)."},
    {.name = "rebalance",
     .kind = SCHEMA_SECTION,
     .inner = &rebalance_schema,
     .offset = SPOT(rebalance),
     .given_offset = SPOT(rebalance.given),
     .help = "Early warnings of interruptions, for `on_rebalance`; default: none."},
};

const struct schema spot_schema = {
    .name = "market.spot",
    SCHEMA_KEYS(spot_keys),
    .size = sizeof(struct spot_spec),
    .help = "The spot market of one instance type (TYPE), or of one in one zone (ZONE/TYPE, which "
            "replaces the former there).",
};

#define ON_DEMAND(member) offsetof(struct on_demand_spec, member)

static const struct schema_key on_demand_keys[] = {
    {.name = "price",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = 1e6,
     .offset = ON_DEMAND(price),
     .place_offset = ON_DEMAND(price_place),
     .help = "Price of one instance, never 0; default: the catalogue's, from date to date."},
    {.name = "capacity",
     .kind = SCHEMA_CHOICE,
     .choices = on_demand_capacity_names,
     .offset = ON_DEMAND(capacity),
     .help = "`always`, after a `wait`, or up to a `limit`; default: as the keys given say, else "
             "always, which is listed under \"assumed\"."},
    {.name = "wait",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = YEAR_S,
     .offset = ON_DEMAND(wait),
     .help = "Time from a request to its grant."},
    {.name = "limit",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e9,
     .offset = ON_DEMAND(limit),
     .help = "Most nodes that can be held: a quota."},
};

const struct schema on_demand_schema = {
    .name = "market.on-demand",
    SCHEMA_KEYS(on_demand_keys),
    .size = sizeof(struct on_demand_spec),
    .help = "The on-demand market of one instance type (TYPE), or of one in one zone (ZONE/TYPE).",
};

static const struct schema_key market_keys[] = {
    {.name = "spot",
     .kind = SCHEMA_MAP,
     .inner = &spot_schema,
     .offset = offsetof(struct market_spec, spot),
     .help = "Spot pools by TYPE or ZONE/TYPE."},
    {.name = "on-demand",
     .kind = SCHEMA_MAP,
     .inner = &on_demand_schema,
     .offset = offsetof(struct market_spec, on_demand),
     .help = "On-demand pools by TYPE or ZONE/TYPE."},
    {.name = "price_changes",
     .kind = SCHEMA_LIST,
     .inner = &price_change_schema,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct market_spec, price_changes),
     .help = "Changes of list prices to come whose date is known."},
    {.name = "price_cuts",
     .kind = SCHEMA_SECTION,
     .inner = &price_cuts_schema,
     .offset = offsetof(struct market_spec, price_cuts),
     .help = "Price cuts to come that nobody has announced, or `none`; by default beyond a "
             "horizon of six months."},
    {.name = "quotas",
     .kind = SCHEMA_LIST,
     .inner = &quota_schema,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct market_spec, quotas),
     .help = "Quotas of the account that families share; default: none."},
};

const struct schema market_schema = {
    .name = "market",
    SCHEMA_KEYS(market_keys),
    .size = sizeof(struct market_spec),
    .help = "Prices and capacity: described once, the same for every strategy.",
};

static double default_quantity(const struct schema_key *k)
{
    struct quantity q;
    char message[128];
    bool good = quantity_parse(k->default_text, strlen(k->default_text), k->dimension, &q, message,
                               sizeof message);
    assert(good);
    return good ? q.value : 0.0;
}

static int default_choice(const struct schema_key *k)
{
    int i = 0;
    while (k->choices[i] != NULL && strcmp(k->choices[i], k->default_text) != 0) {
        i++;
    }
    assert(k->choices[i] != NULL);
    return i;
}

/* `spec` is zeroed and of this schema; only the kinds that a pool's keys have. */
static void apply_defaults(const struct schema *schema, void *spec)
{
    for (size_t i = 0; i < schema->key_count; i++) {
        const struct schema_key *k = &schema->keys[i];
        void *field = (char *)spec + k->offset;
        if (k->kind == SCHEMA_NUMBER) {
            *(struct number *)field =
                NUMBER_CERTAIN(k->default_text == NULL ? 0.0 : default_quantity(k));
        } else if (k->kind == SCHEMA_VARIATE) {
            *(struct variate *)field =
                variate_constant(k->default_text == NULL ? 0.0 : default_quantity(k));
        } else if (k->kind == SCHEMA_CHOICE) {
            *(int *)field = k->default_text == NULL ? -1 : default_choice(k);
        } else if (k->kind == SCHEMA_FLAG) {
            *(bool *)field = strcmp(k->default_text, "yes") == 0;
        }
    }
}

struct spot_spec spot_spec_default(void)
{
    struct spot_spec spec = {0};
    apply_defaults(&spot_schema, &spec);
    return spec;
}

struct on_demand_spec on_demand_spec_default(void)
{
    struct on_demand_spec spec = {0};
    apply_defaults(&on_demand_schema, &spec);
    return spec;
}
