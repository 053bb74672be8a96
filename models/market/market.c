/* SPDX-License-Identifier: GPL-3.0-or-later
 * One thread's view of one world. All memory is taken when the market is made; a world only resets
 * it, and paths grow as far as somebody asks. */
#include "models/market/market.h"

#include "models/market/hidden_process.h"
#include "models/market/market_plan.h"
#include "models/market/node_life.h"
#include "models/market/on_off.h"
#include "models/market/price_paths.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PRICE_MOST 1e6 /* an hour, as of all prices */

struct window_cost {
    money_t total, per_hour;
};

struct pool_state {
    const struct pool_plan *plan;
    money_t price;               /* of a stated price */
    struct window_cost *windows; /* WINDOWS: by window */
    struct life_law life;        /* zeroed but of spot: none */
    double notice_s;
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
    if (s->plan->kind == CAPACITY_HIDDEN) {
        struct hidden_parameters h = pool_terms_hidden(spec, &s->plan->prior, drawn);
        hidden_path_begin(&s->path, &h);
        s->stretch.from = s->stretch.to = 0;
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

static bool replays_price(const struct pool_state *s)
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
    for (size_t i = 0; replays_price(s) && i < s->plan->replay->price.count; i++) {
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
    size_t tick = tick_at(&s->path, t_s);
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
    if (replays_price(s)) {
        *until_s = replay_path_next(&s->price_path, t_s, INT64_MAX, m->reach_s);
        return replay_path_at(&s->price_path, fmin(t_s, m->reach_s));
    }
    return s->plan->price.count > 0 ? pool_price_at(&s->plan->price, t_s, until_s) : s->price;
}

money_t market_price(struct market *m, int pool, double t_s, double *until_s)
{
    struct pool_state *s = pool_at(m, pool);
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
