/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/price_regimes.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Log steps of the target a week, and its pull to the middle of its regime. */
#define TARGET_SD        0.15
#define TARGET_REVERSION 0.15
#define MOST_A_STEP      0.03

/* From weekly prices of g3, g4dn, g4ad, p2 and p3dn, 2020-21. */
const double price_regime_chances[PRICE_REGIMES][PRICE_REGIMES] = {
    [PRICE_AT_FLOOR] = {0.976, 0.022, 0.002},
    [PRICE_LOW] = {0.17, 0.75, 0.08},
    [PRICE_HIGH] = {0.01, 0.08, 0.91},
};

bool price_regime_path_init(struct price_regime_path *p, const struct price_regime_sources *s,
                            double horizon_s)
{
    *p = (struct price_regime_path){.sources = s};
    p->most = (size_t)(fmin(fmax(horizon_s, 0.0), 1e10) / PRICE_REGIME_STEP_S) + 1;
    p->prices = malloc(p->most * sizeof *p->prices);
    return p->prices != NULL;
}

void price_regime_path_release(struct price_regime_path *p)
{
    free(p->prices);
    p->prices = NULL;
}

enum price_regime price_regime_of(money_t price, money_t floor)
{
    double over = (double)price / (double)floor;
    return over < PRICE_REGIME_LOW_FROM    ? PRICE_AT_FLOOR
           : over < PRICE_REGIME_HIGH_FROM ? PRICE_LOW
                                           : PRICE_HIGH;
}

/* Where targets of a regime lie, in logs over the floor; high ends at on-demand. */
static void limits(const struct price_regime_path *p, double *low, double *high)
{
    const double most = log((double)p->cap / (double)p->floor);
    const double edges[PRICE_REGIMES + 1] = {0, log(PRICE_REGIME_LOW_FROM),
                                             log(PRICE_REGIME_HIGH_FROM), most};
    *low = fmin(edges[p->regime], most);
    *high = p->regime == PRICE_AT_FLOOR ? 0 : fmax(*low, fmin(edges[p->regime + 1], most));
}

void price_regime_path_begin(struct price_regime_path *p, struct random_world world, money_t floor,
                             money_t first, money_t cap)
{
    p->world = world;
    p->floor = floor;
    p->first = first;
    p->cap = cap;
    p->regime = price_regime_of(first, floor);
    p->level = p->target = log((double)first / (double)floor);
    p->prices[0] = first;
    p->drawn = 1;
}

static double luck(const struct price_regime_path *p, uint64_t common, uint64_t own, uint32_t week)
{
    double a = gsl_cdf_ugaussian_Pinv(random_uniform_at(p->world, common, week));
    double b = gsl_cdf_ugaussian_Pinv(random_uniform_at(p->world, own, week));
    return sqrt(PRICE_REGIME_COMMON) * a + sqrt(1 - PRICE_REGIME_COMMON) * b;
}

/* A bad week is bad wherever the chain stands: luck goes from the floor upwards. */
static enum price_regime next_regime(enum price_regime now, double u)
{
    const double *chances = price_regime_chances[now];
    return u < chances[PRICE_AT_FLOOR]                        ? PRICE_AT_FLOOR
           : u < chances[PRICE_AT_FLOOR] + chances[PRICE_LOW] ? PRICE_LOW
                                                              : PRICE_HIGH;
}

static void begin_week(struct price_regime_path *p, uint32_t week)
{
    const struct price_regime_sources *s = p->sources;
    double low, high;
    enum price_regime before = p->regime;
    p->regime =
        next_regime(before, gsl_cdf_ugaussian_P(luck(p, s->regime_common, s->regime_own, week)));
    limits(p, &low, &high);
    double middle = (low + high) / 2;
    if (p->regime == PRICE_AT_FLOOR || p->regime != before) {
        p->target = middle;
    }
    if (p->regime != PRICE_AT_FLOOR) {
        p->target += TARGET_REVERSION * (middle - p->target) +
                     TARGET_SD * luck(p, s->target_common, s->target_own, week);
    }
    p->target = fmin(fmax(p->target, low), high);
}

static void draw_step(struct price_regime_path *p)
{
    const double most = log1p(MOST_A_STEP);
    size_t step = p->drawn++;
    if (step % PRICE_REGIME_STEPS_A_WEEK == 0) {
        begin_week(p, (uint32_t)(step / PRICE_REGIME_STEPS_A_WEEK));
    }
    double way = p->target - p->level;
    if (way == 0) {
        p->prices[step] = p->prices[step - 1];
        return;
    }
    p->level = fabs(way) <= most ? p->target : p->level + (way > 0 ? most : -most);
    money_t price = (money_t)llround((double)p->floor * exp(p->level));
    price = price > p->cap ? p->cap : price;
    p->prices[step] = price < p->floor ? p->floor : price;
}

static money_t price_of(struct price_regime_path *p, size_t step)
{
    while (p->drawn <= step) {
        draw_step(p);
    }
    return p->prices[step];
}

money_t price_regime_path_at(struct price_regime_path *p, double t_s, double *until_s)
{
    size_t step = 0;
    if (t_s > 0) {
        double steps = floor(t_s / PRICE_REGIME_STEP_S);
        step = steps < (double)p->most ? (size_t)steps : p->most - 1;
    }
    money_t now = price_of(p, step);
    *until_s = HUGE_VAL;
    for (size_t next = step + 1; next < p->most; next++) {
        if (price_of(p, next) != now) {
            *until_s = (double)next * PRICE_REGIME_STEP_S;
            break;
        }
    }
    return now;
}
