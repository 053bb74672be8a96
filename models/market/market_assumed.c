/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_assumed.h"

#include "engine/civil_time.h"

#include <stdio.h>
#include <string.h>

#define OLD_PRICE_S (INT64_C(180) * 86400)

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
    if (row->source != NULL) {
        snprintf(source, sizeof source,
                 "Spot Instance Advisor bucket %s on %s (%s), through the prior of docs/models.md",
                 bucket, civil_date_text(row->date_unix_s, date), row->source);
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

void market_assumed_spot_rules(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct spot_spec *s = pool->spot;
    char what[160];
    if (pool->kind == CAPACITY_CONSTANT && s->capacity == SPOT_DEFAULT) {
        assumptions_add(p->context.assumptions, false, "only 'interruptions' is given",
                        pool_text(pool, "spot capacity", what, sizeof what),
                        "always there; nodes are interrupted one by one, independently");
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

void market_assumed_spot_price(const struct market_plan *p, const struct pool_plan *pool,
                               const struct dated_price *row)
{
    static const char *const statistics[SPOT_STATISTIC_COUNT] = {
        "lowest of the zones", "mean over zones", "highest of the zones"};
    char what[160], source[400], date[24];
    snprintf(source, sizeof source, "catalogue (%s), %s: %s", row->layer,
             civil_date_text(row->from_unix_s, date), row->source);
    assumptions_add(p->context.assumptions, false, source,
                    pool_text(pool, "spot price", what, sizeof what),
                    "%.6g %s/h, constant; %s on %s", money_to_double(row->per_hour),
                    p->context.region->currency, statistics[pool->spot->price_statistic], date);
}

void market_assumed_on_demand_price(const struct market_plan *p, const struct pool_plan *pool,
                                    const struct dated_price *row)
{
    if (p->context.start_unix_s - row->confirmed_unix_s <= OLD_PRICE_S) {
        return;
    }
    char what[160], source[400], date[24];
    snprintf(what, sizeof what, "on-demand price of %s in %s", pool->info.type->name,
             p->context.region->code);
    snprintf(source, sizeof source, "catalogue (%s): %s", row->layer, row->source);
    assumptions_add(p->context.assumptions, false, source, what, "%.6g %s/h, last seen on %s",
                    money_to_double(row->per_hour), p->context.region->currency,
                    civil_date_text(row->confirmed_unix_s, date));
}

static bool is_scarce(const char *family)
{
    return strncmp(family, "p4", 2) == 0 || strncmp(family, "p5", 2) == 0 ||
           strncmp(family, "p6", 2) == 0 || strncmp(family, "trn", 3) == 0;
}

void market_assumed_on_demand_capacity(const struct market_plan *p, const struct pool_plan *pool)
{
    const struct on_demand_spec *s = pool->on_demand;
    if (s->capacity != ON_DEMAND_DEFAULT || s->wait.given || s->limit > 0 ||
        !is_scarce(pool->info.type->family)) {
        return;
    }
    char what[160];
    assumptions_add(p->context.assumptions, false, NULL,
                    pool_text(pool, "on-demand capacity", what, sizeof what),
                    "always there, at once and in any number, though such types are scarce");
}
