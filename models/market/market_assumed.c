/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_assumed.h"

#include "engine/civil_time.h"

#include <stdio.h>
#include <string.h>

static const char traces[] = "27 availability series of V100 and K80 spot pools on AWS, 2022-23";

static const char *pool_text(const struct pool_plan *pool, const char *subject, char *out,
                             size_t size)
{
    snprintf(out, size, "%s of %s in %s", subject, pool->info.type->name, pool->info.zone);
    return out;
}

/* What holds for sizes and zones alike is said once. */
static const char *family_text(const struct pool_plan *pool, const char *subject, char *out,
                               size_t size)
{
    snprintf(out, size, "%s of %s instances", subject, pool->info.type->family);
    return out;
}

void market_assumed_prior(const struct market_plan *p, const struct pool_plan *pool,
                          const struct advisor_row *row)
{
    char what[160], source[400], date[24];
    const char *bucket =
        row->bucket == ADVISOR_UNKNOWN ? "unknown" : advisor_bucket_names[row->bucket];
    /* Said of a price file alone; without one the shipped bucket is meant. */
    const bool own = row->source != NULL && strcmp(row->layer, "shipped") != 0;
    if (row->source != NULL) {
        snprintf(source, sizeof source,
                 "Spot Instance Advisor bucket %s on %s (%s%s%s), through the prior of "
                 "docs/models.md",
                 bucket, civil_date_text(row->date_unix_s, date), own ? row->layer : "",
                 own ? ": " : "", row->source);
    } else {
        snprintf(source, sizeof source, "%s bucket %s, through the prior of docs/models.md",
                 pool->spot->bucket >= 0 ? "stated" : "no Spot Instance Advisor row:", bucket);
    }
    const struct spot_prior *prior = &pool->prior.prior;
    assumptions_add(
        p->context.assumptions, spot_prior_extrapolated(row->bucket, pool->info.type->family),
        source, pool_text(pool, "spot availability", what, sizeof what),
        "one node %.3g %% of the time in the middle case (in 8 of 10 futures %.3g to "
        "%.3g %%), drawn once per replication",
        100.0 * spot_prior_availability(*prior, 0.5), 100.0 * spot_prior_availability(*prior, 0.1),
        100.0 * spot_prior_availability(*prior, 0.9));
}

void market_assumed_shape(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct spot_spec *s = pool->spot;
    char what[160];
    bool extrapolated = !spot_prior_measured_family(pool->info.type->family);
    bool short_known = s->short_time.given || s->losses.given;
    if (!short_known || !s->long_time.given || !s->short_weight.given || !s->node_slope.given) {
        struct hidden_parameters h = pool_terms_hidden(s, &pool->prior, NULL);
        assumptions_add(p->context.assumptions, extrapolated, traces,
                        family_text(pool, "shape of spot capacity", what, sizeof what),
                        "hidden Gaussian process with relaxation times %.3g h and %.3g h, weight "
                        "%.3g on the short one, node slope %.3g",
                        h.short_s / 3600.0, h.long_s / 3600.0, h.short_weight, h.node_slope);
    }
    bool stated = s->season_amplitude.given && s->weekend_shift.given && s->best_hour.given;
    if (s->season == SPOT_SEASON_DEFAULT && !stated) {
        assumptions_add(p->context.assumptions, extrapolated, traces,
                        family_text(pool, "season of spot capacity", what, sizeof what),
                        "day %.3g and weekend %.3g probits, best at %.3g h local time (UTC%+.3g h)",
                        s->season_amplitude.median, s->weekend_shift.median, s->best_hour.median,
                        p->context.region->utc_offset_h);
    }
}

void market_assumed_turns(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct spot_spec *s = pool->spot;
    const bool extrapolated = !spot_prior_measured_family(pool->info.type->family);
    char what[160];
    if (pool->kind != CAPACITY_HYPEREXPONENTIAL) {
        return;
    }
    if (s->availability.given && !s->losses.given) {
        struct pool_turns turns = pool_terms_turns(s, NULL);
        assumptions_add(p->context.assumptions, extrapolated, traces,
                        pool_text(pool, "mean spot times", what, sizeof what),
                        "there for %.3g h and gone for %.3g h in the mean, from the availability "
                        "alone; from pool to pool a factor of 1.6 each way",
                        on_off_mean_s(turns.up) / 3600.0, on_off_mean_s(turns.down) / 3600.0);
    }
    if (!s->up_short_share.given || !s->up_long_ratio.given || !s->down_short_share.given ||
        !s->down_long_ratio.given) {
        assumptions_add(p->context.assumptions, extrapolated, traces,
                        family_text(pool, "shape of spot capacity", what, sizeof what),
                        "hyperexponential times: there, %.3g %% are short and the others %.3g "
                        "times as long; gone, %.3g %% and %.3g times",
                        100.0 * s->up_short_share.median, s->up_long_ratio.median,
                        100.0 * s->down_short_share.median, s->down_long_ratio.median);
    }
    assumptions_add(p->context.assumptions, extrapolated, traces,
                    family_text(pool, "memory of spot capacity", what, sizeof what),
                    "none from one time to the next (hyperexponential): on those series P90 of a "
                    "48 h job came out 14 %% too low in the median, its spread 45 %%, where the "
                    "hidden process is 1 and 7 %% off");
}

void market_assumed_regimes(const struct market_plan *p, const struct pool_plan *pool)
{
    char what[160], floor[80];
    if (pool->spot->price_floor.given) {
        snprintf(floor, sizeof floor, "stated, %.3g %% of on-demand",
                 100 * pool->spot->price_floor.median);
    } else {
        snprintf(floor, sizeof floor, "%.3g %% of on-demand, or the price at the start if lower",
                 100 * PRICE_REGIME_FLOOR);
    }
    assumptions_add(p->context.assumptions, true,
                    "weekly spot prices of g3, g4dn, g4ad, p2 and p3dn on AWS, 2020-21",
                    pool_text(pool, "spot price path", what, sizeof what),
                    "from the price at the start on, a weekly chain of floor, low and high with "
                    "ramps, never above on-demand; floor: %s",
                    floor);
}

void market_assumed_spot_rules(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct spot_spec *s = pool->spot;
    char what[160];
    if (pool->kind == CAPACITY_CONSTANT && s->capacity == SPOT_DEFAULT) {
        bool hazard = s->interruptions.given && s->interruptions.word < 0;
        assumptions_add(p->context.assumptions, false,
                        hazard ? "only 'interruptions' is given"
                               : "only the lives of single nodes are given",
                        pool_text(pool, "spot capacity", what, sizeof what),
                        "always there; nodes are interrupted one by one, independently");
    }
    if (s->lifetimes == LIFETIMES_BATHTUB) {
        assumptions_add(p->context.assumptions, false,
                        "1,442 preemptible instances of 2019 (HPDC 2020 data)",
                        pool_text(pool, "spot lifetimes", what, sizeof what),
                        "a bathtub, as far as not stated: 42.5 %% die early by a Weibull of shape "
                        "0.58 and scale 5.3 h, all others end at 24 h");
    }
    if (!s->notice.given) {
        assumptions_add(p->context.assumptions, false, "the provider's rule (AWS: two minutes)",
                        "notice before a spot interruption", "%.6g s", s->notice.median);
    }
    if (s->first_hour_free) {
        assumptions_add(p->context.assumptions, false,
                        "the provider's rule leaves the instant itself open",
                        "edge of the free first hour on spot",
                        "ended by the cloud below 3,600 s after launch: free; from 3,600 s on: "
                        "billed");
    }
}

static long long days_before_start(const struct market_plan *p, const struct dated_price *row)
{
    return (p->context.start_unix_s - row->confirmed_unix_s) / 86400;
}

static bool is_old(const struct market_plan *p, const struct dated_price *row)
{
    return days_before_start(p, row) > OLD_PRICE_DAYS;
}

/* " (8.0468 to 9.1506)" or "" */
static const char *zones_text(const struct market_plan *p, const struct pool_plan *pool,
                              const struct dated_price *row, char *out, size_t size)
{
    struct price_span zones;
    char low[32], high[32];
    out[0] = '\0';
    if (market_zone_prices(p, pool, row, &zones)) {
        snprintf(out, size, " (%s to %s)", money_text(zones.low, low),
                 money_text(zones.high, high));
    }
    return out;
}

void market_assumed_spot_price(const struct market_plan *p, const struct pool_plan *pool,
                               const struct dated_price *row)
{
    static const char *const statistics[SPOT_STATISTIC_COUNT] = {
        "lowest of the zones", "mean over zones", "highest of the zones"};
    char what[160], source[400], zones[96], age[64] = "", date[24], price[32];
    snprintf(source, sizeof source, "catalogue (%s), %s: %s", row->layer,
             civil_date_text(row->from_unix_s, date), row->source);
    if (is_old(p, row)) {
        char seen[24];
        snprintf(age, sizeof age, ", last seen on %s, %lld days before the start",
                 civil_date_text(row->confirmed_unix_s, seen), days_before_start(p, row));
    }
    assumptions_add(p->context.assumptions, false, source,
                    pool_text(pool, "spot price", what, sizeof what), "%s %s/h, %s; %s%s on %s%s",
                    money_text(row->per_hour, price), p->context.region->currency,
                    pool->spot->price_model == PRICE_MODEL_REGIMES ? "at the start" : "constant",
                    statistics[pool->spot->price_statistic],
                    zones_text(p, pool, row, zones, sizeof zones), date, age);
}

void market_assumed_on_demand_price(const struct market_plan *p, const struct pool_plan *pool,
                                    const struct dated_price *row)
{
    if (!is_old(p, row)) {
        return;
    }
    char what[160], source[400], date[24], price[32];
    snprintf(what, sizeof what, "on-demand price of %s in %s", pool->info.type->name,
             p->context.region->code);
    snprintf(source, sizeof source, "catalogue (%s): %s", row->layer, row->source);
    assumptions_add(p->context.assumptions, false, source, what,
                    "%s %s/h, last seen on %s, %lld days before the start",
                    money_text(row->per_hour, price), p->context.region->currency,
                    civil_date_text(row->confirmed_unix_s, date), days_before_start(p, row));
}

static bool is_scarce(const char *family)
{
    return strncmp(family, "p4", 2) == 0 || strncmp(family, "p5", 2) == 0 ||
           strncmp(family, "p6", 2) == 0 || strncmp(family, "trn", 3) == 0;
}

void market_assumed_on_demand_capacity(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct on_demand_spec *s = pool->on_demand;
    if (s->capacity != ON_DEMAND_DEFAULT || s->wait.given || s->limit > 0) {
        return;
    }
    char what[160];
    if (is_scarce(pool->info.type->family)) {
        assumptions_add(p->context.assumptions, false, NULL,
                        family_text(pool, "on-demand capacity", what, sizeof what),
                        "always there, at once and in any number, though such types are scarce");
    } else {
        assumptions_add(p->context.assumptions, false, NULL, "on-demand capacity",
                        "always there, at once and in any number");
    }
}
