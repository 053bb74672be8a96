/* SPDX-License-Identifier: GPL-3.0-or-later
 * One thread's view of one world. All memory is taken when the market is made; a world only resets
 * it, and paths grow as far as somebody asks. */
#include "models/market/market.h"

#include "models/market/market_world.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct market *market_new(const struct market_plan *p)
{
    struct market *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->plan = p;
    m->reach_s = p->context.horizon_s + HIDDEN_STEP_S;
    m->pools = calloc(p->pool_count + 1, sizeof *m->pools);
    m->noise = calloc(p->noise_count + 1, sizeof *m->noise);
    if (m->pools == NULL || m->noise == NULL || !price_paths_init(&m->prices, &p->outlook)) {
        market_free(m);
        return NULL;
    }
    for (size_t i = 0; i < p->noise_count; i++) {
        if (!hidden_noise_init(&m->noise[i], p->noise_sources[i], p->ticks)) {
            market_free(m);
            return NULL;
        }
    }
    /* Local time as if it were UTC: whole seconds, offsets of half an hour included. */
    int64_t local_start_s =
        p->context.start_unix_s + (int64_t)llround(p->context.region->utc_offset_h * 3600.0);
    for (size_t i = 0; i < p->pool_count; i++) {
        struct pool_state *s = &m->pools[i];
        s->plan = p->pools[i];
        s->steady_price = s->plan->windows == NULL && s->plan->regimes == NULL &&
                          s->plan->price.count == 0 && !market_world_replays_price(s) &&
                          !price_outlook_moves(&p->outlook, s->plan->reach);
        if (s->plan->windows != NULL) {
            s->windows = calloc(s->plan->window_count, sizeof *s->windows);
            if (s->windows == NULL) {
                market_free(m);
                return NULL;
            }
        }
        if (s->plan->regimes != NULL &&
            !price_regime_path_init(&s->regimes, s->plan->regimes, m->reach_s)) {
            market_free(m);
            return NULL;
        }
        if (s->plan->kind != CAPACITY_HIDDEN) {
            continue;
        }
        struct hidden_noise *noise[HIDDEN_SOURCES];
        for (int k = 0; k < HIDDEN_SOURCES; k++) {
            noise[k] = &m->noise[s->plan->noise[k]];
        }
        if (!hidden_path_init(&s->path, noise, local_start_s, p->ticks)) {
            market_free(m);
            return NULL;
        }
    }
    return m;
}

void market_free(struct market *m)
{
    if (m == NULL) {
        return;
    }
    for (size_t i = 0; m->pools != NULL && i < m->plan->pool_count; i++) {
        hidden_path_release(&m->pools[i].path);
        price_regime_path_release(&m->pools[i].regimes);
        free(m->pools[i].windows);
    }
    for (size_t i = 0; m->noise != NULL && i < m->plan->noise_count; i++) {
        hidden_noise_release(&m->noise[i]);
    }
    price_paths_release(&m->prices);
    free(m->pools);
    free(m->noise);
    free(m);
}

const struct market_plan *market_plan_of(const struct market *m)
{
    return m->plan;
}

const char *market_message(const struct market *m)
{
    return m->message;
}

static struct pool_state *pool_at(const struct market *m, int pool)
{
    assert(pool >= 0 && (size_t)pool < m->plan->pool_count);
    return &m->pools[pool];
}

/* The tick whose stretch [tick, tick + 1) holds t; the last one beyond the path's end. */
static size_t tick_at(const struct hidden_path *path, double t_s)
{
    if (!(t_s > 0.0)) {
        return 0;
    }
    if (t_s >= (double)path->limit * HIDDEN_STEP_S) {
        return path->limit - 1;
    }
    size_t tick = (size_t)(t_s / HIDDEN_STEP_S);
    /* The quotient of a time just below a tick may round up to it. */
    if ((double)tick * HIDDEN_STEP_S > t_s) {
        tick--;
    }
    return tick;
}

static void find_stretch(struct pool_state *s, double t_s, uint32_t cap)
{
    if (s->stretch.cap == cap && s->stretch.at_s == t_s) {
        return; /* capacity and its next change are asked for at one instant */
    }
    size_t tick = tick_at(&s->path, t_s);
    s->stretch.at_s = t_s;
    if (s->stretch.cap == cap && tick >= s->stretch.from && tick < s->stretch.to) {
        return;
    }
    s->stretch.from = tick;
    s->stretch.to = tick + 1;
    s->stretch.complete = false;
    s->stretch.cap = cap;
    s->stretch.nodes = hidden_nodes(&s->path, hidden_path_margin(&s->path, tick), cap);
}

static uint32_t at_most(int64_t nodes, uint32_t cap)
{
    return nodes < cap ? (uint32_t)nodes : cap;
}

static uint32_t path_capacity(struct market *m, struct pool_state *s, double t_s, uint32_t cap)
{
    cap = cap < s->plan->nodes ? cap : s->plan->nodes;
    double until_s;
    switch (s->plan->kind) {
    case CAPACITY_HIDDEN:
        find_stretch(s, t_s, cap);
        return s->stretch.nodes;
    case CAPACITY_ON_OFF:
    case CAPACITY_HYPEREXPONENTIAL:
        return on_off_at(&s->on_off, fmin(t_s, m->reach_s), &until_s) ? cap : 0;
    case CAPACITY_REPLAY:
        return at_most(replay_path_at(&s->nodes_path, fmin(t_s, m->reach_s)), cap);
    case CAPACITY_WINDOWS: {
        uint32_t nodes = market_windows_nodes(s->plan->windows, s->plan->window_count, t_s);
        return nodes < cap ? nodes : cap;
    }
    case CAPACITY_CONSTANT:
        break;
    }
    return cap;
}

static double hidden_next_change(struct pool_state *s, double t_s, uint32_t cap)
{
    find_stretch(s, t_s, cap);
    if (!s->stretch.complete) {
        uint32_t n = s->stretch.nodes;
        double low = n == 0 ? -HUGE_VAL : hidden_edge(&s->path, n);
        double high = n == cap ? HUGE_VAL : hidden_edge(&s->path, n + 1);
        s->stretch.to = hidden_path_leaves(&s->path, s->stretch.to, low, high);
        s->stretch.complete = true;
    }
    return s->stretch.to < s->path.limit ? (double)s->stretch.to * HIDDEN_STEP_S : HUGE_VAL;
}

static double path_next_change(struct market *m, struct pool_state *s, double t_s, uint32_t cap)
{
    cap = cap < s->plan->nodes ? cap : s->plan->nodes;
    double next_s = HUGE_VAL;
    if (s->plan->kind == CAPACITY_WINDOWS) {
        /* Known for ever, and true beyond the horizon too. */
        return market_windows_next_change(s->plan->windows, s->plan->window_count, t_s, cap);
    }
    if (cap > 0 && s->plan->kind == CAPACITY_HIDDEN) {
        next_s = hidden_next_change(s, t_s, cap);
    } else if (cap > 0 && pool_terms_renews(s->plan->kind) && t_s <= m->reach_s) {
        on_off_at(&s->on_off, t_s, &next_s);
    } else if (cap > 0 && s->plan->kind == CAPACITY_REPLAY && t_s <= m->reach_s) {
        next_s = replay_path_next(&s->nodes_path, t_s, cap, m->reach_s);
    }
    return next_s <= m->reach_s ? next_s : HUGE_VAL;
}

double market_trace_end_s(struct market *m, int pool)
{
    const struct pool_state *s = pool_at(m, pool);
    const bool ends = s->plan->kind == CAPACITY_REPLAY && !s->plan->replay->nodes.wraps;
    return ends ? replay_path_end_s(&s->nodes_path) : HUGE_VAL;
}

/* The price before stated changes and cuts. */
static money_t base_price(struct market *m, struct pool_state *s, double t_s, double *until_s)
{
    *until_s = HUGE_VAL;
    if (s->plan->regimes != NULL) {
        return price_regime_path_at(&s->regimes, t_s, until_s);
    }
    if (market_world_replays_price(s)) {
        *until_s = replay_path_next(&s->price_path, t_s, INT64_MAX, m->reach_s);
        return replay_path_at(&s->price_path, fmin(t_s, m->reach_s));
    }
    return s->plan->price.count > 0 ? pool_price_at(&s->plan->price, t_s, until_s) : s->price;
}

money_t market_price(struct market *m, int pool, double t_s, double *until_s)
{
    struct pool_state *s = pool_at(m, pool);
    if (s->steady_price) { /* asked for every record of usage */
        if (until_s != NULL) {
            *until_s = HUGE_VAL;
        }
        return s->price;
    }
    if (s->plan->windows != NULL) {
        size_t i = market_windows_index(s->plan->windows, s->plan->window_count, t_s);
        if (until_s != NULL) {
            *until_s = i + 1 < s->plan->window_count ? s->plan->windows[i + 1].from_s : HUGE_VAL;
        }
        return s->windows[i].per_hour;
    }
    double base_until_s;
    money_t price = base_price(m, s, t_s, &base_until_s);
    if (until_s != NULL) {
        *until_s = base_until_s;
    }
    if (!price_outlook_moves(&m->plan->outlook, s->plan->reach)) {
        return price;
    }
    double changes_s;
    double factor = price_paths_factor(&m->prices, s->plan->reach, t_s, &changes_s);
    if (until_s != NULL) {
        *until_s = fmin(*until_s, changes_s);
    }
    return price_paths_apply(price, factor);
}

/* ---- capacity at a maximum price ---- */

static bool has_max_price(const struct pool_state *s)
{
    return s->plan->spot != NULL && s->plan->spot->max_price.given;
}

uint32_t market_capacity(struct market *m, int pool, double t_s, uint32_t cap)
{
    struct pool_state *s = pool_at(m, pool);
    if (has_max_price(s) && market_price(m, pool, t_s, NULL) > s->max_price) {
        return 0;
    }
    return path_capacity(m, s, t_s, cap);
}

double market_next_change(struct market *m, int pool, double t_s, uint32_t cap)
{
    struct pool_state *s = pool_at(m, pool);
    if (!has_max_price(s)) {
        return path_next_change(m, s, t_s, cap);
    }
    const uint32_t now = market_capacity(m, pool, t_s, cap);
    for (double at_s = t_s;;) {
        double until_s;
        bool open = market_price(m, pool, at_s, &until_s) <= s->max_price;
        at_s = open ? fmin(until_s, path_next_change(m, s, at_s, cap)) : until_s;
        if (!(at_s <= m->reach_s)) {
            return HUGE_VAL;
        }
        if (market_capacity(m, pool, at_s, cap) != now) {
            return at_s;
        }
    }
}

double market_offer_factor(struct market *m, int offer, double t_s)
{
    return price_paths_factor(&m->prices, offer, t_s, NULL);
}

double market_hazard(struct market *m, int pool)
{
    return pool_at(m, pool)->life.hazard_per_s;
}

bool market_ends_nodes(struct market *m, int pool)
{
    const struct pool_state *s = pool_at(m, pool);
    return s->plan->spot != NULL && life_law_ends(&s->life);
}

double market_node_life_s(struct market *m, int pool, double u)
{
    return life_law_s(&pool_at(m, pool)->life, u);
}

double market_notice_s(struct market *m, int pool)
{
    return pool_at(m, pool)->notice_s;
}

bool market_rebalances(const struct market *m, int pool)
{
    return pool_at(m, pool)->rebalance.given;
}

double market_rebalance_lead_s(const struct market *m, int pool, double u_share, double u_lead)
{
    return rebalance_lead_s(&pool_at(m, pool)->rebalance, u_share, u_lead);
}

double market_false_alarm_s(const struct market *m, int pool, double u)
{
    return rebalance_false_after_s(&pool_at(m, pool)->rebalance, u);
}

static double delay_s(const struct pool_state *s, double u)
{
    return s->delayed ? fmax(0.0, distribution_quantile(&s->delay, u)) : 0.0;
}

bool market_delays(const struct market *m, int pool)
{
    return pool_at(m, pool)->delayed;
}

double market_regain_s(struct market *m, int pool, double u)
{
    const struct pool_state *s = pool_at(m, pool);
    return s->plan->spot != NULL ? delay_s(s, u) : 0.0;
}

double market_wait_s(struct market *m, int pool, double u)
{
    const struct pool_state *s = pool_at(m, pool);
    return s->plan->spot == NULL ? delay_s(s, u) : 0.0;
}

bool market_first_hour_free(const struct market *m, int pool)
{
    const struct pool_plan *plan = pool_at(m, pool)->plan;
    return plan->spot != NULL && plan->spot->first_hour_free;
}

money_t market_window_cost(const struct market *m, int pool, size_t index)
{
    const struct pool_state *s = pool_at(m, pool);
    assert(s->plan->windows != NULL && index < s->plan->window_count);
    return s->windows[index].total;
}
