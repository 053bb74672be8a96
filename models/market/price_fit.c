/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/price_fit.h"

#include "engine/double_sort.h"

#include <math.h>
#include <stdlib.h>

#define GRID_S      3600.0
#define MOST_STARTS 200000

/* Prices in force, and what a node that runs from the first on has cost before each. */
struct price_curve {
    double *at_s, *price, *before;
    size_t count;
    double end_s;
};

static void curve_release(struct price_curve *c)
{
    free(c->at_s);
    free(c->price);
    free(c->before);
}

static bool curve_init(struct price_curve *c, const struct trace *t)
{
    *c = (struct price_curve){.at_s = malloc(t->count * sizeof *c->at_s),
                              .price = malloc(t->count * sizeof *c->price),
                              .before = malloc(t->count * sizeof *c->before),
                              .end_s = t->end_s};
    if (c->at_s == NULL || c->price == NULL || c->before == NULL) {
        return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct trace_step *s = &t->steps[i];
        double price = money_to_double(s->price);
        if (s->price == TRACE_UNKNOWN || (c->count > 0 && price == c->price[c->count - 1])) {
            continue;
        }
        size_t k = c->count++;
        c->at_s[k] = s->at_s;
        c->price[k] = price;
        c->before[k] = k == 0 ? 0 : c->before[k - 1] + c->price[k - 1] * (s->at_s - c->at_s[k - 1]);
    }
    return true;
}

/* Cost up to t_s; *k, which only rises, is the price in force then. */
static double cost_at(const struct price_curve *c, double t_s, size_t *k)
{
    while (*k + 1 < c->count && c->at_s[*k + 1] <= t_s) {
        (*k)++;
    }
    return c->before[*k] + c->price[*k] * (t_s - c->at_s[*k]);
}

static double at_share(const double *sorted, size_t n, double share)
{
    double rank = ceil(share * (double)n - 1e-9);
    return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}

static bool error_over(struct price_error *e, const struct price_curve *c, double length_s)
{
    const double room_s = c->end_s - c->at_s[0] - length_s;
    if (!(room_s > 0)) {
        return true;
    }
    double grid_s = fmax(GRID_S, room_s / MOST_STARTS);
    size_t n = (size_t)(room_s / grid_s) + 1, from = 0, to = 0;
    double *errors = malloc(2 * n * sizeof *errors);
    if (errors == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        double at_s = c->at_s[0] + (double)i * grid_s;
        double cost = -cost_at(c, at_s, &from);
        cost += cost_at(c, at_s + length_s, &to);
        errors[i] = fabs(cost / length_s / c->price[from] - 1);
    }
    double_sort(errors, errors + n, n);
    *e = (struct price_error){true, at_share(errors, n, 0.5), at_share(errors, n, 0.9)};
    free(errors);
    return true;
}

bool price_fit_make(struct price_fit *f, const struct trace *t)
{
    struct price_curve c;
    *f = (struct price_fit){0};
    bool ok = curve_init(&c, t);
    if (ok) {
        size_t last = 0;
        f->observed_s = c.end_s - c.at_s[0];
        f->mean = cost_at(&c, c.end_s, &last) / f->observed_s;
        f->last = c.price[last];
        f->changes = c.count - 1;
        f->least = f->most = c.price[0];
        for (size_t i = 1; i < c.count; i++) {
            f->least = fmin(f->least, c.price[i]);
            f->most = fmax(f->most, c.price[i]);
        }
        ok = error_over(&f->over_short, &c, PRICE_FIT_SHORT_S) &&
             error_over(&f->over_long, &c, PRICE_FIT_LONG_S);
    }
    curve_release(&c);
    return ok;
}
