/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_refine.h"

#include "engine/random.h"
#include "scenarios/decide/search_rounds.h"
#include "scenarios/decide/search_standing.h"
#include "scenarios/decide/search_studies.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

/* Trials that the budget is meant to last for, and worlds of each at least. */
#define TRIALS_MEANT 15
#define LEAST_WORLDS 50
/* Where it stops, as a share of the range. */
#define CLOSE_ENOUGH 0.005

struct refinement {
    struct search *search;
    size_t start; /* candidate */
    uint32_t worlds;
    size_t first_trial, trials, most_trials;
    size_t keys[SEARCH_MAX_KEYS]; /* the continuous ones of the grid */
    size_t key_count;
    double scale; /* of losses */
    bool failed;
};

/* The loss on the refinement's worlds, running those that are missing; what may not be chosen lies
 * above all that may. */
static double loss_of(struct refinement *r, size_t candidate)
{
    struct search *s = r->search;
    struct candidate *c = &s->candidates[candidate];
    struct candidate_standing standing;
    if (c->study == NULL) {
        return 1e6 * r->scale;
    }
    if (c->searched.count < r->worlds) {
        const uint32_t missing = r->worlds - c->searched.count;
        const uint64_t before = s->spent;
        r->failed |= !search_rounds_run(s, &candidate, 1, RANDOM_FIRST_SEARCH, missing);
        s->refine_spent += s->spent - before;
    }
    if (r->failed || !search_standing(s, c, false, r->worlds, &standing)) {
        r->failed = true;
        return 0;
    }
    if (standing.tier > 1) {
        return 1e5 * r->scale;
    }
    return standing.strict ? standing.loss
                           : standing.loss + r->scale * (10 + fmin(standing.excess, 1e3));
}

/* A trial with the same values that is there already. */
static bool find_trial(const struct refinement *r, const struct search_value *values, size_t *found)
{
    const struct search *s = r->search;
    const struct search_grid *g = s->candidates[r->start].grid;
    for (size_t i = r->first_trial; i < s->count; i++) {
        bool same = true;
        for (size_t k = 0; same && k < g->key_count; k++) {
            for (size_t col = 0; col < s->space.column_count; col++) {
                same = same && (strcmp(s->space.columns[col], g->keys[k].path) != 0 ||
                                strcmp(s->candidates[i].values[col], values[k].text) == 0);
            }
        }
        if (same) {
            *found = i;
            return true;
        }
    }
    return false;
}

/* The loss at a point, each coordinate on its key's scale. */
static double try_point(struct refinement *r, const double *at)
{
    struct search *s = r->search;
    const struct candidate *start = &s->candidates[r->start];
    const struct search_grid *g = start->grid;
    struct search_value values[SEARCH_MAX_KEYS];
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < g->key_count; k++) {
        values[k] = g->keys[k].values[start->indices[k]];
    }
    for (size_t k = 0; k < r->key_count; k++) {
        const struct search_key *key = &g->keys[r->keys[k]];
        values[r->keys[k]].text =
            search_key_text(key, fmin(fmax(at[k], key->low), key->high), s->arena);
        r->failed |= values[r->keys[k]].text == NULL;
    }
    if (r->failed) {
        return 0;
    }
    if (find_trial(r, values, &found)) {
        return loss_of(r, found);
    }
    if (r->trials >= r->most_trials) {
        return 1e6 * r->scale; /* no budget is left: the minimiser is about to be stopped */
    }
    struct candidate *c = search_add(s, g, values);
    if (c == NULL || !search_studies_add(s, c)) {
        r->failed = true;
        return 0;
    }
    if (c->status != CANDIDATE_REFUSED) {
        c->status = CANDIDATE_TRIED;
    }
    r->trials++;
    return loss_of(r, s->count - 1);
}

/* ---- one range ---- */

static double on_line(double at, void *context)
{
    return try_point(context, &at);
}

/* The candidate that differs from the start in the value of one key. */
static size_t neighbour(const struct refinement *r, size_t key, size_t index)
{
    const struct search *s = r->search;
    const struct candidate *start = &s->candidates[r->start];
    for (size_t i = 0; i < r->first_trial; i++) {
        const struct candidate *c = &s->candidates[i];
        bool same = c->grid == start->grid;
        for (size_t k = 0; same && k < start->grid->key_count; k++) {
            same = c->indices[k] == (k == key ? index : start->indices[k]);
        }
        if (same) {
            return i;
        }
    }
    return SIZE_MAX;
}

struct bracket {
    double low, middle, high, at_low, at_middle, at_high;
};

/* Around the start; at the end of the range the point half way to its neighbour may do. False when
 * there is none: the best lies at a value that was tried. */
static bool find_bracket(struct refinement *r, struct bracket *b)
{
    const struct candidate *start = &r->search->candidates[r->start];
    const struct search_key *key = &start->grid->keys[r->keys[0]];
    const size_t i = start->indices[r->keys[0]];
    if (key->count < 2) {
        return false;
    }
    const size_t below = i > 0 ? i - 1 : i, above = i + 1 < key->count ? i + 1 : i;
    const size_t low = neighbour(r, r->keys[0], below), high = neighbour(r, r->keys[0], above);
    if (low == SIZE_MAX || high == SIZE_MAX) {
        return false;
    }
    b->low = key->values[below].at;
    b->high = key->values[above].at;
    b->at_low = loss_of(r, low);
    b->at_high = loss_of(r, high);
    if (below < i && i < above) {
        b->middle = key->values[i].at;
        b->at_middle = loss_of(r, r->start);
    } else {
        b->middle = (b->low + b->high) / 2;
        b->at_middle = try_point(r, &b->middle);
    }
    return !r->failed && b->at_middle < b->at_low && b->at_middle < b->at_high;
}

static bool go_on_line(struct refinement *r)
{
    struct bracket b;
    if (!find_bracket(r, &b)) {
        return !r->failed;
    }
    const struct search_key *key = &r->search->candidates[r->start].grid->keys[r->keys[0]];
    gsl_function f = {.function = on_line, .params = r};
    gsl_min_fminimizer *m = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (m == NULL) {
        return false;
    }
    int status = gsl_min_fminimizer_set_with_values(m, &f, b.middle, b.at_middle, b.low, b.at_low,
                                                    b.high, b.at_high);
    while (status == GSL_SUCCESS && !r->failed && r->trials < r->most_trials) {
        const double width = gsl_min_fminimizer_x_upper(m) - gsl_min_fminimizer_x_lower(m);
        const size_t before = r->trials;
        if (width < CLOSE_ENOUGH * (key->high - key->low)) {
            break;
        }
        status = gsl_min_fminimizer_iterate(m);
        if (r->trials == before && r->search->count > r->first_trial &&
            width < 10 * CLOSE_ENOUGH * (key->high - key->low)) {
            break; /* steps are below what values are rounded to */
        }
    }
    gsl_min_fminimizer_free(m);
    return !r->failed;
}

/* ---- several ---- */

static double on_simplex(const gsl_vector *x, void *context)
{
    struct refinement *r = context;
    const struct search_grid *g = r->search->candidates[r->start].grid;
    double at[SEARCH_MAX_KEYS];
    for (size_t k = 0; k < r->key_count; k++) {
        const struct search_key *key = &g->keys[r->keys[k]];
        at[k] = key->low + gsl_vector_get(x, k) * (key->high - key->low);
    }
    return try_point(r, at);
}

static bool go_on_simplex(struct refinement *r)
{
    const struct candidate *start = &r->search->candidates[r->start];
    gsl_multimin_function f = {.f = on_simplex, .n = r->key_count, .params = r};
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, r->key_count);
    gsl_vector *x = gsl_vector_alloc(r->key_count), *step = gsl_vector_alloc(r->key_count);
    bool ok = m != NULL && x != NULL && step != NULL;
    for (size_t k = 0; ok && k < r->key_count; k++) {
        const struct search_key *key = &start->grid->keys[r->keys[k]];
        const double at =
            (key->values[start->indices[r->keys[k]]].at - key->low) / (key->high - key->low);
        gsl_vector_set(x, k, at);
        gsl_vector_set(step, k,
                       (at > 0.5 ? -0.5 : 0.5) / (double)(key->count > 1 ? key->count - 1 : 1));
    }
    int status = ok ? gsl_multimin_fminimizer_set(m, &f, x, step) : GSL_ENOMEM;
    for (int i = 0; status == GSL_SUCCESS && !r->failed && i < 10 * SEARCH_MAX_TRIALS &&
                    r->trials < r->most_trials;
         i++) {
        status = gsl_multimin_fminimizer_iterate(m);
        if (gsl_multimin_fminimizer_size(m) < CLOSE_ENOUGH) {
            break;
        }
    }
    gsl_multimin_fminimizer_free(m);
    gsl_vector_free(x);
    gsl_vector_free(step);
    return ok && !r->failed;
}

/* ---- what it came to ---- */

/* The best of the trials joins the finalists, with as many worlds as they have. */
static bool take_best(struct refinement *r)
{
    struct search *s = r->search;
    double best = loss_of(r, r->start);
    size_t found = SIZE_MAX;
    for (size_t i = r->first_trial; i < s->count; i++) {
        const double loss = loss_of(r, i);
        struct candidate *c = &s->candidates[i];
        if (c->study != NULL && !search_standing(s, c, false, c->searched.count, &c->standing)) {
            return false;
        }
        if (loss < best) {
            best = loss;
            found = i;
        }
    }
    if (r->failed || found == SIZE_MAX) {
        return !r->failed;
    }
    struct candidate *c = &s->candidates[found];
    const uint32_t worlds = s->candidates[r->start].searched.count;
    r->worlds = worlds;
    (void)loss_of(r, found);
    c->status = CANDIDATE_FINALIST;
    c->rounds = s->rounds;
    s->finalists[s->finalist_count++] = found;
    if (r->failed || !search_standing(s, c, false, worlds, &c->standing)) {
        return false;
    }
    search_standing_sort(s, s->finalists, s->finalist_count);
    return true;
}

bool search_refine(struct search *s)
{
    const uint64_t budget = search_rounds_refine_budget(s);
    if (budget == 0 || s->finalist_count == 0 || s->stopped_early || s->hopeless) {
        return true;
    }
    struct refinement r = {.search = s, .start = s->finalists[0], .first_trial = s->count};
    const struct candidate *start = &s->candidates[r.start];
    for (size_t k = 0; k < start->grid->key_count; k++) {
        if (start->grid->keys[k].continuous) {
            r.keys[r.key_count++] = k;
        }
    }
    if (r.key_count == 0) {
        return true;
    }
    const uint64_t each = budget / TRIALS_MEANT;
    r.worlds = each < LEAST_WORLDS
                   ? LEAST_WORLDS
                   : (uint32_t)(each < SEARCH_MOST_WORLDS ? each : SEARCH_MOST_WORLDS);
    r.worlds = r.worlds < start->searched.count ? r.worlds : start->searched.count;
    /* Room for topping up neighbours and the best. */
    uint64_t most = budget / r.worlds;
    r.most_trials =
        most < 4 ? 0 : (size_t)(most - 3 < SEARCH_MAX_TRIALS ? most - 3 : SEARCH_MAX_TRIALS);
    r.scale = fmax(fabs(start->standing.loss), 1e-9);
    if (r.most_trials == 0) {
        return true;
    }
    return (r.key_count == 1 ? go_on_line(&r) : go_on_simplex(&r)) && take_best(&r);
}
