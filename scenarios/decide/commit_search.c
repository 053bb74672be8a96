/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/commit_search.h"

#include "engine/statistics.h"
#include "models/commitments/commitment_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes looked at inside a bracket in one pass. */
#define INSIDE 5
/* Steps of an amount an hour: this part of what is spent on demand. */
#define PARTS 512
/* Powers of two of instances that are looked at first; more while the largest is best. */
#define FIRST_POWERS 11
/* Passes of the search of a portfolio. */
#define MOST_PASSES 60
/* Gains below this part of the cost are rounding. */
#define ROUNDING 1e-12

double commit_aim_of(const struct commit_value *v, enum commit_aim aim)
{
    return aim == COMMIT_LEAST_MEAN ? v->mean : aim == COMMIT_LEAST_P90 ? v->p90 : v->cvar90;
}

static bool fail(struct commit_search *s)
{
    diagnostics_add(s->worlds->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static bool is_clearly_less(double a, double b)
{
    return a < b - ROUNDING * fabs(b);
}

/* ---- a curve ---- */

static bool curve_room(struct commit_search *s, struct commit_curve *c, size_t more)
{
    if (c->count + more > c->capacity) {
        const size_t capacity = 2 * (c->count + more);
        struct commit_point *points = arena_array(s->worlds->points, capacity, sizeof *points);
        if (points == NULL) {
            return fail(s);
        }
        if (c->count > 0) {
            memcpy(points, c->points, c->count * sizeof *points);
        }
        c->points = points;
        c->capacity = capacity;
    }
    return true;
}

static bool has_size(const struct commit_curve *c, size_t item, double size, double step)
{
    for (size_t i = 0; i < c->count; i++) {
        if (fabs(c->points[i].sizes[item] - size) < 0.5 * step) {
            return true;
        }
    }
    return false;
}

/* A point that is not rated yet; SIZE_MAX when memory is out. */
static bool add_size(struct commit_search *s, size_t item, double size)
{
    struct commit_curve *c = &s->curves[item];
    if (has_size(c, item, size, s->step[item])) {
        return true;
    }
    if (!curve_room(s, c, 1)) {
        return false;
    }
    struct commit_point *p = &c->points[c->count];
    *p = (struct commit_point){
        .sizes = arena_array(s->worlds->points, s->worlds->items, sizeof *p->sizes)};
    if (p->sizes == NULL) {
        return fail(s);
    }
    p->sizes[item] = size;
    c->count++;
    return true;
}

/* Rates what is not rated yet, of all curves in one pass. */
static bool rate_new(struct commit_search *s)
{
    const size_t items = s->worlds->items;
    size_t count = 0;
    for (size_t k = 0; k < items; k++) {
        count += s->curves[k].count;
    }
    struct commit_point *fresh = calloc(count + 1, sizeof *fresh);
    count = 0;
    for (size_t k = 0; fresh != NULL && k < items; k++) {
        for (size_t i = 0; i < s->curves[k].count; i++) {
            if (s->curves[k].points[i].cost == NULL) {
                fresh[count++] = s->curves[k].points[i];
            }
        }
    }
    const bool ok = fresh == NULL ? fail(s) : commit_worlds_rate(s->worlds, fresh, count);
    count = 0;
    for (size_t k = 0; ok && k < items; k++) {
        for (size_t i = 0; i < s->curves[k].count; i++) {
            if (s->curves[k].points[i].cost == NULL) {
                s->curves[k].points[i] = fresh[count++];
            }
        }
    }
    free(fresh);
    s->passes++;
    return ok;
}

/* By size, and where each aim is best: of equals the smallest. */
static void settle(struct commit_curve *c, size_t item)
{
    for (size_t i = 1; i < c->count; i++) {
        struct commit_point p = c->points[i];
        size_t k = i;
        for (; k > 0 && c->points[k - 1].sizes[item] > p.sizes[item]; k--) {
            c->points[k] = c->points[k - 1];
        }
        c->points[k] = p;
    }
    for (int aim = 0; aim < COMMIT_AIMS; aim++) {
        c->best[aim] = 0;
        for (size_t i = 1; i < c->count; i++) {
            if (is_clearly_less(
                    commit_aim_of(&c->points[i].value, (enum commit_aim)aim),
                    commit_aim_of(&c->points[c->best[aim]].value, (enum commit_aim)aim))) {
                c->best[aim] = i;
            }
        }
    }
}

/* Sizes between two of the curve; *added when there are any. */
static bool narrow(struct commit_search *s, size_t item, double from, double to, bool *added)
{
    const double step = s->step[item];
    const long steps = lround((to - from) / step);
    long before = 0;
    for (long i = 1; i <= INSIDE; i++) {
        const long at = lround((double)i * (double)steps / (INSIDE + 1));
        if (at > before && at < steps) {
            *added = true;
            before = at;
            if (!add_size(s, item, from + (double)at * step)) {
                return false;
            }
        }
    }
    return true;
}

/* Around the best of every aim; beyond the largest where that is the best. */
static bool narrow_curve(struct commit_search *s, size_t item, bool *added)
{
    struct commit_curve *c = &s->curves[item];
    const struct commitment_plan *plan =
        &s->worlds->study->strategies[s->worlds->strategy].commitments;
    const double most = commitment_size_most(plan, item);
    double from[COMMIT_AIMS], at[COMMIT_AIMS], to[COMMIT_AIMS];
    for (int aim = 0; aim < COMMIT_AIMS; aim++) { /* sizes are added below */
        const size_t best = c->best[aim], last = c->count - 1;
        at[aim] = c->points[best].sizes[item];
        from[aim] = best > 0 ? c->points[best - 1].sizes[item] : at[aim];
        to[aim] = best < last ? c->points[best + 1].sizes[item] : fmin(2 * at[aim], most);
    }
    bool ok = true;
    for (int aim = 0; ok && aim < COMMIT_AIMS; aim++) {
        if (to[aim] > at[aim] && !has_size(c, item, to[aim], s->step[item])) {
            *added = true;
            ok = add_size(s, item, to[aim]);
        }
        ok = ok && narrow(s, item, from[aim], at[aim], added) &&
             narrow(s, item, at[aim], to[aim], added);
    }
    return ok;
}

/* ---- the first sizes ---- */

static bool is_amount(const struct commit_search *s, size_t item)
{
    const struct commitment_plan *plan =
        &s->worlds->study->strategies[s->worlds->strategy].commitments;
    return commitment_is_savings_plan(&plan->later.listed[item]);
}

/* What is spent an hour on demand, when nothing is signed: the scale of amounts. */
static double spent_per_h(const struct commit_search *s, const struct commit_point *none)
{
    const double spent = none->value.mean / (s->worlds->study->scenario->horizon_s / 3600);
    return spent > 1e-3 ? spent : 1e-3;
}

static bool begin_curves(struct commit_search *s)
{
    const size_t items = s->worlds->items;
    s->curves = arena_array(s->worlds->points, items, sizeof *s->curves);
    s->step = arena_array(s->worlds->points, items, sizeof *s->step);
    s->covers_h = arena_array(s->worlds->points, items, sizeof *s->covers_h);
    if (s->curves == NULL || s->step == NULL || s->covers_h == NULL) {
        return fail(s);
    }
    bool ok = true;
    for (size_t k = 0; ok && k < items; k++) {
        s->step[k] = is_amount(s, k) ? 1e-3 : 1;
        ok = add_size(s, k, 0);
    }
    ok = ok && rate_new(s);
    for (size_t k = 0; ok && k < items; k++) {
        const double spent = spent_per_h(s, &s->curves[k].points[0]);
        /* A whole number of thousandths: no rate is stated more finely. */
        s->step[k] = is_amount(s, k) ? fmax(1e-3, 1e-3 * round(1e3 * spent / PARTS)) : 1;
        for (int i = 0; ok && i < FIRST_POWERS; i++) {
            ok = add_size(s, k, s->step[k] * (double)(1 << i));
        }
    }
    return ok && rate_new(s);
}

static bool find_curves(struct commit_search *s)
{
    if (!begin_curves(s)) {
        return false;
    }
    for (bool added = true; added;) {
        added = false;
        for (size_t k = 0; k < s->worlds->items; k++) {
            settle(&s->curves[k], k);
            if (!narrow_curve(s, k, &added)) {
                return false;
            }
        }
        if (added && !rate_new(s)) {
            return false;
        }
    }
    for (size_t k = 0; k < s->worlds->items; k++) {
        const struct commit_point *smallest = &s->curves[k].points[1];
        s->covers_h[k] = smallest->value.covered_h / smallest->sizes[k];
    }
    return true;
}

/* ---- all together ---- */

/* Portfolios that are one move away from `from`. */
struct neighbours {
    struct commit_point *points;
    size_t count, capacity;
};

static bool add_neighbour(struct commit_search *s, struct neighbours *n,
                          const struct commit_point *from, size_t item, double by, size_t other,
                          double by_other)
{
    const size_t items = s->worlds->items;
    if (n->count == n->capacity) {
        return true;
    }
    struct commit_point *p = &n->points[n->count];
    *p = (struct commit_point){.sizes = arena_array(s->worlds->points, items, sizeof *p->sizes)};
    if (p->sizes == NULL) {
        return fail(s);
    }
    memcpy(p->sizes, from->sizes, items * sizeof *p->sizes);
    p->sizes[item] = fmax(0, p->sizes[item] + by);
    if (other != item) {
        p->sizes[other] = fmax(0, p->sizes[other] + by_other);
    }
    bool moved = false;
    for (size_t k = 0; k < items; k++) {
        moved = moved || fabs(p->sizes[k] - from->sizes[k]) > 0.5 * s->step[k];
    }
    n->count += moved;
    return true;
}

static double in_steps(const struct commit_search *s, size_t item, double size)
{
    return s->step[item] * round(size / s->step[item]);
}

/* One larger, one smaller, one for another: by so many steps of the first. */
static bool find_neighbours(struct commit_search *s, struct neighbours *n,
                            const struct commit_point *from, double steps)
{
    const size_t items = s->worlds->items;
    bool ok = true;
    for (size_t i = 0; ok && i < items; i++) {
        const double by = steps * s->step[i];
        ok = add_neighbour(s, n, from, i, by, i, 0) && add_neighbour(s, n, from, i, -by, i, 0);
        for (size_t k = 0; ok && k < items; k++) {
            if (k != i && from->sizes[i] > 0 && s->covers_h[k] > 0) {
                const double less = fmin(by, from->sizes[i]);
                const double more = in_steps(s, k, less * s->covers_h[i] / s->covers_h[k]);
                ok = add_neighbour(s, n, from, i, -less, k, fmax(more, s->step[k]));
            }
        }
    }
    return ok;
}

/* The best alone, or nothing. */
static struct commit_point best_alone(const struct commit_search *s, enum commit_aim aim)
{
    struct commit_point best = s->curves[0].points[0];
    for (size_t k = 0; k < s->worlds->items; k++) {
        const struct commit_curve *c = &s->curves[k];
        const struct commit_point *p = &c->points[c->best[aim]];
        if (is_clearly_less(commit_aim_of(&p->value, aim), commit_aim_of(&best.value, aim))) {
            best = *p;
        }
    }
    return best;
}

/* The largest size that is best alone, in steps, as a power of two. */
static double first_steps(const struct commit_search *s, enum commit_aim aim)
{
    double most = 1;
    for (size_t k = 0; k < s->worlds->items; k++) {
        const struct commit_curve *c = &s->curves[k];
        most = fmax(most, c->points[c->best[aim]].sizes[k] / s->step[k]);
    }
    return exp2(floor(log2(most)));
}

/* The search for one aim: where it stands, and by how many steps it moves; below 1 it is over. */
struct together {
    struct commit_point best;
    double steps;
};

/* Sizes of steps that are tried in one pass, since worlds cost more than portfolios do. */
enum { SCALES = 3 };

/* A quarter, but in the end one; 0 behind it. */
static double smaller(double steps)
{
    return steps <= 1 ? 0 : fmax(1, floor(steps / 4));
}

/* All moves of all aims that still search. */
static bool find_moves(struct commit_search *s, struct neighbours *n, const struct together *t)
{
    bool ok = true;
    n->count = 0;
    for (int aim = 0; ok && aim < COMMIT_AIMS; aim++) {
        double steps = t[aim].steps;
        for (int k = 0; ok && k < SCALES && steps >= 1; k++, steps = smaller(steps)) {
            ok = find_neighbours(s, n, &t[aim].best, steps);
        }
    }
    return ok;
}

/* Takes the best of what was rated; whether it is better. */
static bool take_best(struct together *t, enum commit_aim aim, const struct neighbours *n)
{
    bool better = false;
    for (size_t i = 0; i < n->count; i++) {
        if (is_clearly_less(commit_aim_of(&n->points[i].value, aim),
                            commit_aim_of(&t->best.value, aim))) {
            t->best = n->points[i];
            better = true;
        }
    }
    return better;
}

/* All aims side by side, since what is rated for one may serve another. */
static bool search_together(struct commit_search *s)
{
    const size_t items = s->worlds->items;
    struct together t[COMMIT_AIMS];
    struct neighbours n = {.capacity = COMMIT_AIMS * SCALES * items * (items + 1)};
    n.points = calloc(n.capacity + 1, sizeof *n.points);
    bool ok = n.points != NULL || fail(s);
    for (int aim = 0; ok && aim < COMMIT_AIMS; aim++) {
        t[aim].best = best_alone(s, (enum commit_aim)aim);
        /* Alone, the curve has said all. */
        t[aim].steps = items > 1 ? first_steps(s, (enum commit_aim)aim) : 0;
    }
    for (int pass = 0; ok; pass++) {
        ok = find_moves(s, &n, t);
        if (!ok || n.count == 0) {
            break;
        }
        if (pass == MOST_PASSES) {
            s->cut = true;
            break;
        }
        ok = commit_worlds_rate(s->worlds, n.points, n.count);
        s->passes++;
        for (int aim = 0; ok && aim < COMMIT_AIMS; aim++) {
            const bool better = take_best(&t[aim], (enum commit_aim)aim, &n);
            for (int k = 0; !better && k < SCALES; k++) {
                t[aim].steps = smaller(t[aim].steps);
            }
        }
    }
    free(n.points);
    for (int aim = 0; ok && aim < COMMIT_AIMS; aim++) {
        s->portfolio[aim] = t[aim].best;
    }
    return ok;
}

bool commit_search_run(struct commit_search *s, struct commit_worlds *worlds)
{
    *s = (struct commit_search){.worlds = worlds};
    return find_curves(s) && search_together(s);
}

struct commit_pair commit_compare(const struct commit_point *a, const struct commit_point *b,
                                  size_t worlds)
{
    const struct paired p = paired_difference(a->cost, NULL, b->cost, NULL, worlds);
    return (struct commit_pair){p.mean, p.low, p.high, p.win_share};
}
