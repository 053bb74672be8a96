/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_confidence.h"

#include "engine/double_sort.h"
#include "engine/random.h"
#include "scenarios/decide/search_screen.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define BOOTSTRAPS 200

/* What one comparison works in. */
struct loss_pairs {
    enum objective_stat stat;
    double quantile, sign;
    size_t n;
    double *a, *b; /* pairs */
    double *drawn_a, *drawn_b, *spare;
};

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* Of values that may be reordered. */
static double statistic(const struct loss_pairs *c, double *values)
{
    if (c->stat == OBJECTIVE_MEAN) {
        double sum = 0;
        for (size_t i = 0; i < c->n; i++) {
            sum += values[i];
        }
        return sum / (double)c->n;
    }
    double_sort(values, c->spare, c->n);
    size_t rank = c->stat == OBJECTIVE_MIN   ? 1
                  : c->stat == OBJECTIVE_MAX ? c->n
                                             : (size_t)ceil(c->quantile * (double)c->n - 1e-9);
    rank = rank < 1 ? 1 : rank > c->n ? c->n : rank;
    return values[rank - 1];
}

static double difference_of(const struct loss_pairs *c, const double *a, const double *b)
{
    for (size_t i = 0; i < c->n; i++) {
        c->drawn_a[i] = a[i];
        c->drawn_b[i] = b[i];
    }
    return c->sign * (statistic(c, c->drawn_a) - statistic(c, c->drawn_b));
}

static double error_of_mean(const struct loss_pairs *c)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        mean += (c->a[i] - c->b[i]) / (double)c->n;
    }
    for (size_t i = 0; i < c->n; i++) {
        sum += (c->a[i] - c->b[i] - mean) * (c->a[i] - c->b[i] - mean);
    }
    return sqrt(sum / (double)(c->n - 1) / (double)c->n);
}

/* The same resamples for every plan of a search, so that nothing depends on their order. */
static double error_by_bootstrap(const struct loss_pairs *c, uint64_t seed)
{
    struct random_stream stream;
    const struct random_world world = {seed, RANDOM_FIRST_SEARCH};
    double mean = 0, squares = 0;
    random_stream_init(&stream, world, random_source("search/bootstrap"));
    for (int k = 0; k < BOOTSTRAPS; k++) {
        for (size_t i = 0; i < c->n; i++) {
            size_t pick = random_below(&stream, (uint32_t)c->n);
            c->drawn_a[i] = c->a[pick];
            c->drawn_b[i] = c->b[pick];
        }
        const double d = statistic(c, c->drawn_a) - statistic(c, c->drawn_b);
        const double step = d - mean;
        mean += step / (k + 1);
        squares += step * (d - mean);
    }
    return sqrt(squares / (BOOTSTRAPS - 1));
}

/* Worlds in which both exist. */
static void take_pairs(struct loss_pairs *c, const double *a, const double *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!isnan(a[i]) && !isnan(b[i])) {
            c->a[c->n] = a[i];
            c->b[c->n++] = b[i];
        }
    }
}

bool search_confidence_difference(const struct search *s, const struct candidate_worlds *a,
                                  const struct candidate_worlds *b, uint32_t n, double *difference,
                                  double *error)
{
    const struct objective *o = &s->goal.objective;
    double *room = malloc(5 * ((size_t)n + 1) * sizeof *room);
    *difference = *error = (double)NAN;
    if (room == NULL) {
        return out_of_memory(s);
    }
    struct loss_pairs c = {.stat = o->stat,
                           .quantile = o->quantile,
                           .sign = s->goal.maximise ? -1 : 1,
                           .a = room,
                           .b = room + n,
                           .drawn_a = room + 2 * (size_t)n,
                           .drawn_b = room + 3 * (size_t)n,
                           .spare = room + 4 * (size_t)n};
    take_pairs(&c, a->values, b->values, n);
    if (c.n >= 2) {
        *difference = difference_of(&c, c.a, c.b);
        *error = c.stat == OBJECTIVE_MEAN
                     ? error_of_mean(&c)
                     : error_by_bootstrap(&c, (uint64_t)s->base->scenario->seed);
    }
    free(room);
    return true;
}

/* That the true difference is below -margin. Plans that never differ are equally good. */
static double chance_better(double difference, double error, double margin)
{
    if (isnan(difference)) {
        return 1;
    }
    if (!(error > 0)) {
        return difference + margin < 0 ? 1 : 0;
    }
    return gsl_cdf_ugaussian_P(-(difference + margin) / error);
}

/* That a plan keeps every condition, by the one it is least likely to keep: its estimate taken to
 * be normal. What is not known counts as kept. */
static bool chance_kept(const struct search *s, const struct candidate *c, double *chance)
{
    const struct candidate_worlds *w = &c->searched;
    *chance = 1;
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct condition *condition = &s->goal.conditions[i];
        const size_t m = 1 + i;
        struct estimate e;
        if (!objective_estimate_from(&condition->objective, w->values + m * w->capacity,
                                     w->censored + m * w->capacity, w->count, SEARCH_CONFIDENCE,
                                     &e)) {
            return out_of_memory(s);
        }
        const double error = (e.high - e.low) / (2 * 1.96);
        if (!e.known || !isfinite(error) || !(error > 0)) {
            continue;
        }
        const bool upper = condition->op == CONDITION_AT_MOST || condition->op == CONDITION_BELOW;
        const double room = upper ? condition->bound - e.value : e.value - condition->bound;
        *chance = fmin(*chance, gsl_cdf_ugaussian_P(room / error));
    }
    return true;
}

/* Another plan beside the chosen one. */
struct rival {
    double difference, error; /* of losses: > 0 is worse */
    double kept;              /* chance that it keeps the conditions */
};

/* Plans that may be chosen, as far as their worlds tell; of those that a bound of their cost has
 * ruled out, that bound. */
static bool list_rivals(const struct search *s, const struct candidate *best, struct rival *rivals,
                        size_t *count)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct candidate *c = &s->candidates[i];
        struct rival *r = &rivals[*count];
        const bool bounded = c->status == CANDIDATE_SCREENED && c->screen == SCREENED_BY_COST;
        if (c == best || (!bounded && (c->searched.count == 0 || c->standing.tier > 0))) {
            continue;
        }
        const struct candidate_worlds least = {.count = SCREEN_PILOT_WORLDS,
                                               .values = c->least_cost};
        const struct candidate_worlds *w = bounded ? &least : &c->searched;
        const uint32_t n = w->count < best->searched.count ? w->count : best->searched.count;
        r->kept = 1;
        if (!search_confidence_difference(s, w, &best->searched, n, &r->difference, &r->error) ||
            (!bounded && !chance_kept(s, c, &r->kept))) {
            return false;
        }
        ++*count;
    }
    return true;
}

/* Bonferroni: at most the chance that one of them is better by more than the margin. */
static double chance_any(const struct rival *rivals, size_t count, double margin)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += rivals[i].kept * chance_better(rivals[i].difference, rivals[i].error, margin);
    }
    return sum;
}

/* The least margin by which, with the confidence, none is better; NaN: not known. */
static double margin_of(const struct rival *rivals, size_t count)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        high = fmax(high, fabs(rivals[i].difference) + 10 * fmax(rivals[i].error, 0));
        if (isnan(rivals[i].difference) || isnan(rivals[i].error)) {
            return (double)NAN;
        }
    }
    if (chance_any(rivals, count, 0) <= 1 - SEARCH_CONFIDENCE) {
        return 0;
    }
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        const bool enough = chance_any(rivals, count, middle) <= 1 - SEARCH_CONFIDENCE;
        low = enough ? low : middle;
        high = enough ? middle : high;
    }
    return high;
}

/* Those that all at once are not shown to be worse. */
static void count_level(struct search *s, const struct rival *rivals, size_t count)
{
    const double z = gsl_cdf_ugaussian_Pinv(1 - (1 - SEARCH_CONFIDENCE) / (double)(count + 1));
    for (size_t i = 0; i < count; i++) {
        const struct rival *r = &rivals[i];
        s->level += !(r->difference - z * r->error > 0);
    }
}

bool search_confidence(struct search *s)
{
    s->correct = s->nearly_correct = s->margin = (double)NAN;
    s->level = 0;
    if (s->chosen == SIZE_MAX) {
        return true;
    }
    const struct candidate *best = &s->candidates[s->chosen];
    struct rival *rivals = calloc(s->count + 1, sizeof *rivals);
    size_t count = 0;
    bool ok = rivals != NULL ? list_rivals(s, best, rivals, &count) : out_of_memory(s);
    if (ok) {
        const double near = SEARCH_INDIFFERENCE * fabs(best->standing.loss);
        s->correct = fmax(0, 1 - chance_any(rivals, count, 0));
        s->nearly_correct = fmax(0, 1 - chance_any(rivals, count, near));
        s->margin = margin_of(rivals, count);
        count_level(s, rivals, count);
    }
    free(rivals);
    return ok;
}
