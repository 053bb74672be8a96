/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/price_paths.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define DAY_S 86400.0

bool price_paths_init(struct price_paths *p, const struct price_outlook *o)
{
    *p = (struct price_paths){.outlook = o};
    p->factors = calloc(o->change_count + 1, sizeof *p->factors);
    p->paths = calloc(o->family_count + 1, sizeof *p->paths);
    if (p->factors == NULL || p->paths == NULL) {
        price_paths_release(p);
        return false;
    }
    for (size_t i = 0; i < o->family_count; i++) {
        p->paths[i].family = &o->families[i];
    }
    return true;
}

void price_paths_release(struct price_paths *p)
{
    free(p->factors);
    free(p->paths);
    *p = (struct price_paths){0};
}

bool price_paths_begin(struct price_paths *p, struct random_world world, const double *drawn)
{
    const struct price_outlook *o = p->outlook;
    p->world = world;
    for (size_t i = 0; i < o->change_count; i++) {
        p->factors[i] = 1.0 + number_value(&o->changes[i].spec->change, drawn);
    }
    if (o->family_count == 0) {
        return true;
    }
    p->rate_per_s = number_value(&o->rate, drawn);
    for (size_t i = 0; i < o->family_count; i++) {
        struct price_cut_path *path = &p->paths[i];
        path->count = 0;
        path->drawn = 0;
        path->clock_s = o->cuts_from_s;
        path->over = !(p->rate_per_s > 0.0);
    }
    return variate_resolve(&o->size, drawn, &p->size);
}

/* The midnight at or after an instant. */
static double day_after(const struct price_outlook *o, double at_s)
{
    double into_s = (double)(o->context.start_unix_s % 86400);
    return ceil((at_s + into_s) / DAY_S) * DAY_S - into_s;
}

static void draw_next(const struct price_paths *p, struct price_cut_path *path)
{
    double gap = random_uniform_at(p->world, path->family->time_source, path->drawn);
    path->clock_s += -log(gap) / p->rate_per_s;
    /* Beyond a thousand years nobody asks, and whole days would lose their meaning. */
    if (!(path->clock_s < 1e3 * 365.25 * DAY_S)) {
        path->over = true;
        return;
    }
    double u = random_uniform_at(p->world, path->family->size_source, path->drawn++);
    double left = 1.0 - distribution_quantile(&p->size, u);
    double at_s = day_after(p->outlook, path->clock_s);
    if (path->count > 0) {
        left *= path->cuts[path->count - 1].left;
    }
    if (path->count == 0 || path->cuts[path->count - 1].at_s < at_s) {
        path->count++;
    }
    path->cuts[path->count - 1] = (struct price_cut){.at_s = at_s, .left = left};
    path->over = path->count == PRICE_CUTS_MAX;
}

/* The last cut that is drawn may still take in another of its day; those before it are whole. */
static double cut_left(const struct price_paths *p, struct price_cut_path *path, double t_s,
                       double *next_s)
{
    while (!path->over && (path->count == 0 || path->cuts[path->count - 1].at_s <= t_s)) {
        draw_next(p, path);
    }
    size_t low = 0, high = path->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (path->cuts[middle].at_s <= t_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *next_s = low < path->count ? path->cuts[low].at_s : HUGE_VAL;
    return low > 0 ? path->cuts[low - 1].left : 1.0;
}

double price_paths_factor(struct price_paths *p, int reach, double t_s, double *until_s)
{
    const struct price_outlook *o = p->outlook;
    assert(reach >= 0 && (size_t)reach < o->reach_count);
    const struct price_reach *r = &o->reaches[reach];
    double factor = 1.0, next_s = HUGE_VAL;
    for (size_t i = 0; i < r->change_count && isinf(next_s); i++) {
        double at_s = o->changes[r->changes[i]].at_s;
        if (at_s > t_s) {
            next_s = at_s;
        } else {
            factor *= p->factors[r->changes[i]];
        }
    }
    if (r->family >= 0) {
        double cut_s;
        factor *= cut_left(p, &p->paths[r->family], t_s, &cut_s);
        next_s = fmin(next_s, cut_s);
    }
    if (until_s != NULL) {
        *until_s = next_s;
    }
    return factor;
}

money_t price_paths_apply(money_t per_hour, double factor)
{
    if (factor == 1.0) {
        return per_hour;
    }
    money_t changed = (money_t)llround((double)per_hour * factor);
    return changed > 0 ? changed : 1;
}

double price_paths_highest(const struct price_paths *p, int reach)
{
    const struct price_reach *r = &p->outlook->reaches[reach];
    double factor = 1.0, highest = 1.0;
    for (size_t i = 0; i < r->change_count; i++) {
        factor *= p->factors[r->changes[i]];
        highest = fmax(highest, factor);
    }
    return highest;
}
