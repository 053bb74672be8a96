/* SPDX-License-Identifier: GPL-3.0-or-later
 * What planning may know of a pool (DESIGN invariant 7, "nobody peeks"): everything here reads the
 * medians of the inputs, through the same functions that give a world its parameters. */
#include "models/market/market_plan.h"
#include "models/market/node_life.h"
#include "models/market/price_paths.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const struct pool_plan *pool_at(const struct market_plan *p, int pool)
{
    assert(pool >= 0 && (size_t)pool < p->pool_count);
    return p->pools[pool];
}

/* Share of time in which the price is at most `max_price`, and how often it rises above it in a
 * second of such time: of a trace as it stands there, else by the price known at the start. */
static struct replay_share affordable(const struct market_plan *p, int pool, double *all_s)
{
    const struct pool_plan *plan = pool_at(p, pool);
    struct replay_share out = {.up_s = 1};
    *all_s = 1;
    if (plan->spot == NULL || !plan->spot->max_price.given) {
        return out;
    }
    money_t most = INT64_MAX;
    (void)money_from_double(plan->spot->max_price.median, &most);
    if (plan->replay != NULL && plan->replay->price.count > 0) {
        *all_s = plan->replay->price.length_s;
        return replay_share_at_most(&plan->replay->price, most);
    }
    out.up_s = market_planned_price_per_hour(p, pool) <= plan->spot->max_price.median;
    return out;
}

double market_planned_loss_rate(const struct market_plan *p, int pool, uint32_t n)
{
    const struct pool_plan *plan = pool_at(p, pool);
    if (plan->spot == NULL || n == 0) {
        return 0.0;
    }
    struct life_law life;
    double rate = life_law_make(&life, plan->spot, NULL) ? n * life_law_rate(&life) : 0.0;
    if (plan->kind == CAPACITY_HIDDEN) {
        struct hidden_parameters h = pool_terms_hidden(plan->spot, &plan->prior, NULL);
        rate += pool_terms_losses_when_up(&h, n);
    } else if (pool_terms_renews(plan->kind)) {
        rate += 1.0 / on_off_mean_s(pool_terms_turns(plan->spot, NULL).up);
    } else if (plan->kind == CAPACITY_REPLAY) {
        struct replay_share share = replay_share_of(&plan->replay->nodes, n);
        rate += share.up_s > 0 ? (double)share.falls / share.up_s : 0.0;
    }
    double all_s;
    struct replay_share paid = affordable(p, pool, &all_s);
    return paid.up_s > 0 ? rate + (double)paid.falls / paid.up_s : rate;
}

static double capacity_share(const struct market_plan *p, int pool, uint32_t n)
{
    const struct pool_plan *plan = pool_at(p, pool);
    if (n > market_planned_limit(p, pool)) {
        return 0.0;
    }
    if (plan->spot == NULL || plan->kind == CAPACITY_CONSTANT || n == 0) {
        return 1.0;
    }
    if (pool_terms_renews(plan->kind)) {
        struct pool_turns turns = pool_terms_turns(plan->spot, NULL);
        double up_s = on_off_mean_s(turns.up);
        return up_s / (up_s + on_off_mean_s(turns.down));
    }
    if (plan->kind == CAPACITY_REPLAY) {
        return replay_share_of(&plan->replay->nodes, n).up_s / plan->replay->nodes.length_s;
    }
    struct hidden_parameters h = pool_terms_hidden(plan->spot, &plan->prior, NULL);
    return gsl_cdf_ugaussian_P(pool_terms_gang_threshold(&h, n));
}

double market_planned_availability(const struct market_plan *p, int pool, uint32_t n)
{
    double all_s;
    struct replay_share paid = affordable(p, pool, &all_s);
    return capacity_share(p, pool, n) * (paid.up_s / all_s);
}

bool market_zone_prices(const struct market_plan *p, const struct pool_plan *pool,
                        const struct dated_price *row, struct price_span *out)
{
    const struct market_context *c = &p->context;
    struct dated_price ends[2];
    static const enum spot_statistic statistics[2] = {SPOT_MIN, SPOT_MAX};
    for (int i = 0; i < 2; i++) {
        if (!catalogue_spot(c->catalogue, pool->info.type->name, c->region->code, pool->info.zone,
                            statistics[i], c->prices_as_of_unix_s, &ends[i]) ||
            ends[i].from_unix_s != row->from_unix_s) {
            return false;
        }
    }
    *out = (struct price_span){ends[0].per_hour, ends[1].per_hour};
    return out->low < out->high;
}

double market_planned_price_per_hour(const struct market_plan *p, int pool)
{
    const struct pool_plan *plan = pool_at(p, pool);
    return plan->price.count > 0 ? money_to_double(plan->price.steps[0].per_hour)
                                 : plan->stated->median;
}

bool market_planned_price_row(const struct market_plan *p, int pool, struct dated_price *row)
{
    const struct pool_plan *plan = pool_at(p, pool);
    const struct market_context *c = &p->context;
    const char *type = plan->info.type->name;
    if (plan->windows != NULL) {
        const struct block_price *listed = plan->windows[0].listed;
        bool known = !plan->windows[0].price.given && listed != NULL;
        if (known) {
            *row = (struct dated_price){.per_hour = listed->per_hour,
                                        .from_unix_s = listed->from_unix_s,
                                        .confirmed_unix_s = listed->from_unix_s,
                                        .layer = listed->layer,
                                        .source = listed->source};
        }
        return known;
    }
    if (plan->stated->given || (plan->replay != NULL && plan->replay->price.count > 0)) {
        return false;
    }
    if (plan->spot != NULL) {
        return catalogue_spot(c->catalogue, type, c->region->code, plan->info.zone,
                              (enum spot_statistic)plan->spot->price_statistic,
                              c->prices_as_of_unix_s, row);
    }
    const struct dated_price *first = catalogue_on_demand_at(
        c->catalogue, type, c->region->code, c->start_unix_s, c->prices_as_of_unix_s);
    if (first != NULL) {
        *row = *first;
    }
    return first != NULL;
}

bool market_planned_price_range(const struct market_plan *p, int pool, double *low, double *high)
{
    const struct pool_plan *plan = pool_at(p, pool);
    const bool window = plan->windows != NULL && !plan->windows[0].whole;
    const struct number *stated = window ? &plan->windows[0].price : plan->stated;
    if (!stated->given || stated->input < 0) {
        return false;
    }
    const struct distribution *d =
        &inputs_at(p->context.inputs, (size_t)stated->input)->distribution;
    *low = distribution_quantile(d, 0.05);
    *high = distribution_quantile(d, 0.95);
    return true;
}

/* Price at t with the changes known at the start; *until_s: the next time at which it may change.
 */
static money_t planned_price(const struct market_plan *p, const struct pool_plan *plan, double t_s,
                             double *until_s)
{
    double changes_s;
    money_t base = 0;
    if (plan->windows != NULL) {
        return pool_price_at(&plan->price, t_s, until_s); /* agreed when they are bought */
    }
    double factor = price_outlook_planned(&p->outlook, plan->reach, t_s, &changes_s);
    *until_s = HUGE_VAL;
    if (plan->price.count > 0) {
        base = pool_price_at(&plan->price, t_s, until_s);
    } else {
        (void)money_from_double(plan->stated->median, &base);
    }
    *until_s = fmin(*until_s, changes_s);
    return price_paths_apply(base, factor);
}

bool market_planned_price_step(const struct market_plan *p, int pool, size_t index, double *from_s,
                               money_t *per_hour)
{
    const struct pool_plan *plan = pool_at(p, pool);
    double at_s = 0.0, until_s;
    money_t before = planned_price(p, plan, at_s, &until_s);
    for (size_t found = 0; found <= index && until_s < p->context.horizon_s;) {
        at_s = until_s;
        *per_hour = planned_price(p, plan, at_s, &until_s);
        if (*per_hour != before && found++ == index) {
            *from_s = at_s;
            return true;
        }
        before = *per_hour;
    }
    return false;
}

bool market_planned_price_outlook(const struct market_plan *p)
{
    return p->outlook.change_count > 0 || p->outlook.family_count > 0;
}

double market_planned_offer_factor(const struct market_plan *p, int offer, double t_s, bool *moves)
{
    if (moves != NULL) {
        *moves = price_outlook_moves(&p->outlook, offer);
    }
    return price_outlook_planned(&p->outlook, offer, t_s, NULL);
}

bool market_planned_replay(const struct market_plan *p, int pool, struct planned_replay *out)
{
    const struct replay_plan *r = pool_at(p, pool)->replay;
    if (r == NULL) {
        return false;
    }
    const struct replay_series *series = r->nodes.count > 0 ? &r->nodes : &r->price;
    *out = (struct planned_replay){.file = r->file,
                                   .nodes = r->nodes.count > 0,
                                   .price = r->price.count > 0,
                                   .length_s = series->length_s,
                                   .wraps = series->wraps};
    return true;
}

double market_planned_notice_s(const struct market_plan *p, int pool)
{
    const struct pool_plan *plan = pool_at(p, pool);
    return plan->spot != NULL ? plan->spot->notice.median : 0.0;
}

const struct trace *market_plan_trace(const struct market_plan *p, int pool,
                                      int64_t *nodes_per_unit)
{
    const struct pool_plan *plan = pool_at(p, pool);
    if (plan->kind != CAPACITY_REPLAY) {
        return NULL;
    }
    *nodes_per_unit = plan->replay->nodes_per_unit;
    return plan->replay->trace;
}

uint32_t market_planned_limit(const struct market_plan *p, int pool)
{
    const struct pool_plan *plan = pool_at(p, pool);
    const uint32_t quota = pool_quota_most(plan->quota);
    return plan->nodes < quota ? plan->nodes : quota;
}

const char *market_planned_limit_advice(const struct market_plan *p, int pool)
{
    const struct pool_plan *plan = pool_at(p, pool);
    if (pool_quota_most(plan->quota) < plan->nodes) {
        return ": the account's quota in 'market.quotas' allows no more";
    }
    return plan->kind == CAPACITY_REPLAY
               ? ": its trace counts no more, and says little of a larger gang; 'nodes_per_unit' "
                 "of "
                 "the trace states how many nodes one of the trace's stands for"
               : "";
}
