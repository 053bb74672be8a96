/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_world.h"

#include <math.h>
#include <stdio.h>

#define PRICE_MOST 1e6 /* an hour, as of all prices */

/* A delay nobody stated is 0, whatever its variate holds. */
static bool begin_delay(struct market *m, struct pool_state *s, const char *key,
                        const struct variate *delay, const double *drawn)
{
    s->delayed = delay->given;
    if (delay->given && !variate_resolve(delay, drawn, &s->delay)) {
        snprintf(m->message, sizeof m->message,
                 "the drawn parameters of '%s' of pool '%s' are impossible", key,
                 s->plan->info.name);
        return false;
    }
    s->delayed = delay->given && !(s->delay.family == DISTRIBUTION_CONSTANT && s->delay.p[0] <= 0);
    return true;
}

static money_t first_price(const struct pool_state *s)
{
    return s->plan->price.count > 0 ? s->plan->price.steps[0].per_hour : s->price;
}

/* The floor is never above the price at the start, nor the ceiling below it. */
static bool begin_regimes(struct market *m, struct pool_state *s, struct random_world world,
                          const double *drawn)
{
    money_t regular = s->plan->regular_listed, first = first_price(s);
    const struct number *share = &s->plan->spot->price_floor;
    if ((s->plan->regular != NULL &&
         !money_from_double(number_value(s->plan->regular, drawn), &regular)) ||
        regular <= 0) {
        snprintf(m->message, sizeof m->message,
                 "the drawn on-demand price beside pool '%s' is none", s->plan->info.name);
        return false;
    }
    double lowest = share->given ? number_value(share, drawn) : PRICE_REGIME_FLOOR;
    money_t floor = (money_t)llround((double)regular * lowest);
    floor = floor > first ? first : floor;
    price_regime_path_begin(&s->regimes, world, floor > 0 ? floor : 1, first,
                            regular > first ? regular : first);
    return true;
}

static bool begin_spot(struct market *m, struct pool_state *s, struct random_world world,
                       const double *drawn)
{
    const struct spot_spec *spec = s->plan->spot;
    if (!life_law_make(&s->life, spec, drawn)) {
        snprintf(m->message, sizeof m->message,
                 "the drawn parameters of 'lifetime' of pool '%s' are impossible",
                 s->plan->info.name);
        return false;
    }
    s->notice_s = number_value(&spec->notice, drawn);
    if (!rebalance_begin(&s->rebalance, &spec->rebalance, drawn)) {
        snprintf(m->message, sizeof m->message,
                 "the drawn parameters of 'rebalance.lead' of pool '%s' are impossible",
                 s->plan->info.name);
        return false;
    }
    if (s->plan->kind == CAPACITY_HIDDEN) {
        struct hidden_parameters h = pool_terms_hidden(spec, &s->plan->prior, drawn);
        hidden_path_begin(&s->path, &h);
        s->stretch.from = s->stretch.to = 0;
        s->stretch.at_s = -HUGE_VAL;
    } else if (pool_terms_renews(s->plan->kind)) {
        struct pool_turns turns = pool_terms_turns(spec, drawn);
        on_off_begin(&s->on_off, world, s->plan->on_off_source, turns.up, turns.down);
    }
    s->max_price = INT64_MAX;
    if (spec->max_price.given) {
        (void)money_from_double(number_value(&spec->max_price, drawn), &s->max_price);
    }
    if (s->plan->regimes != NULL && !begin_regimes(m, s, world, drawn)) {
        return false;
    }
    if (s->plan->replay != NULL) {
        double offset_s = replay_plan_offset_s(s->plan->replay, world);
        replay_path_begin(&s->nodes_path, &s->plan->replay->nodes, offset_s);
        replay_path_begin(&s->price_path, &s->plan->replay->price, offset_s);
    }
    return begin_delay(m, s, "regain", &spec->regain, drawn);
}

static bool begin_on_demand(struct market *m, struct pool_state *s, const double *drawn)
{
    s->life = (struct life_law){.cap_s = HUGE_VAL};
    s->notice_s = 0.0;
    return begin_delay(m, s, "wait", &s->plan->on_demand->wait, drawn);
}

bool market_world_replays_price(const struct pool_state *s)
{
    return s->plan->replay != NULL && s->plan->replay->price.count > 0;
}

static money_t highest_price(const struct pool_state *s)
{
    money_t highest = s->plan->price.count == 0 ? s->price : 0;
    for (size_t i = 0; i < s->plan->price.count; i++) {
        money_t step = s->plan->price.steps[i].per_hour;
        highest = step > highest ? step : highest;
    }
    for (size_t i = 0; market_world_replays_price(s) && i < s->plan->replay->price.count; i++) {
        money_t step = s->plan->replay->price.steps[i].value;
        highest = step > highest ? step : highest;
    }
    return s->plan->regimes != NULL && s->regimes.cap > highest ? s->regimes.cap : highest;
}

/* The highest price that stated changes come to may pass what a price can be. */
static bool check_highest(struct market *m, const struct pool_state *s)
{
    const money_t highest = highest_price(s);
    if (money_to_double(highest) * price_paths_highest(&m->prices, s->plan->reach) <= PRICE_MOST) {
        return true;
    }
    snprintf(m->message, sizeof m->message,
             "'market.price_changes' take the price of pool '%s' above a million an hour",
             s->plan->info.name);
    return false;
}

static bool begin_windows(struct market *m, struct pool_state *s, const double *drawn)
{
    for (size_t i = 0; i < s->plan->window_count; i++) {
        const struct market_window *w = &s->plan->windows[i];
        if (!market_window_price(w, drawn, &s->windows[i].total, &s->windows[i].per_hour)) {
            snprintf(m->message, sizeof m->message,
                     "the drawn price of %s is beyond what money can hold", w->name);
            return false;
        }
    }
    return true;
}

bool market_begin(struct market *m, struct random_world world, const double *drawn)
{
    m->message[0] = '\0';
    if (!price_paths_begin(&m->prices, world, drawn)) {
        snprintf(m->message, sizeof m->message,
                 "the drawn parameters of 'market.price_cuts.size' are impossible");
        return false;
    }
    for (size_t i = 0; i < m->plan->noise_count; i++) {
        hidden_noise_begin(&m->noise[i], world);
    }
    for (size_t i = 0; i < m->plan->pool_count; i++) {
        struct pool_state *s = &m->pools[i];
        if (s->plan->windows != NULL) {
            if (!begin_windows(m, s, drawn)) {
                return false;
            }
            continue;
        }
        double stated = number_value(s->plan->stated, drawn);
        bool is_stated = s->plan->price.count == 0;
        if (is_stated && !money_from_double(stated, &s->price)) {
            snprintf(m->message, sizeof m->message,
                     "the drawn price %g of pool '%s' is beyond what money can hold", stated,
                     s->plan->info.name);
            return false;
        }
        if (is_stated && s->price <= 0) {
            snprintf(m->message, sizeof m->message, "the drawn price %g of pool '%s' is zero",
                     stated, s->plan->info.name);
            return false;
        }
        bool good =
            s->plan->spot != NULL ? begin_spot(m, s, world, drawn) : begin_on_demand(m, s, drawn);
        if (!good || !check_highest(m, s)) {
            return false;
        }
    }
    return true;
}
