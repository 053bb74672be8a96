/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/strategy_gaps.h"

#include "engine/selection.h"
#include "scenarios/study/eligibility.h"
#include "scenarios/study/objective_estimate.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define CONFIDENCE 0.95

/* More is never chosen. */
static bool finishes(const struct results *r, size_t strategy)
{
    size_t cut = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        cut += metric_cut(results_cells(r, i, strategy, r->workloads)) ? 1 : 0;
    }
    return (double)cut <= CHOICE_MOST_UNFINISHED * (double)r->replications;
}

/* The values as selection wants them: smaller is better. Known: see the header. False when out of
 * memory. */
static bool values_of(const struct gap_goal *g, const struct results *r, size_t strategy,
                      double *values, unsigned char *censored, bool *known)
{
    const struct objective *o = &g->objective;
    struct estimate e;
    size_t cut = objective_column(o, r, strategy, values, censored);
    if (!objective_estimate_from(o, values, censored, r->replications, CONFIDENCE, &e)) {
        return false;
    }
    *known = e.known && e.n == r->replications && finishes(r, strategy) &&
             (cut == 0 || (o->stat == OBJECTIVE_QUANTILE && !g->maximise));
    for (uint32_t i = 0; i < r->replications; i++) {
        double value = censored[i] ? (double)INFINITY : values[i];
        values[i] = g->maximise != o->unfinished ? -value : value;
    }
    return true;
}

struct all_values {
    double *values; /* [strategy][world] */
    bool *known;
};

static bool all_values_init(struct all_values *all, const struct gap_goal *g,
                            const struct results *r)
{
    unsigned char *censored = calloc((size_t)r->replications + 1, sizeof *censored);
    all->values = calloc(r->strategies * (size_t)r->replications + 1, sizeof *all->values);
    all->known = calloc(r->strategies + 1, sizeof *all->known);
    bool ok = censored != NULL && all->values != NULL && all->known != NULL;
    for (size_t k = 0; ok && k < r->strategies; k++) {
        ok = values_of(g, r, k, all->values + k * r->replications, censored, &all->known[k]);
    }
    free(censored);
    return ok;
}

static void all_values_release(struct all_values *all)
{
    free(all->values);
    free(all->known);
}

/* Two at a time. */
static bool compare(const struct gap_goal *g, const struct results *r, const struct all_values *all,
                    size_t one, size_t other, struct strategy_gap *gap)
{
    const double *const pair[] = {all->values + one * r->replications,
                                  all->values + other * r->replications};
    const struct objective *o = &g->objective;
    const bool quantile = o->stat == OBJECTIVE_QUANTILE;
    const struct selection_request q = {.count = 2,
                                        .worlds = r->replications,
                                        .values = pair,
                                        .p = !quantile     ? 0
                                             : g->maximise ? 1 - o->quantile
                                                           : o->quantile,
                                        .confidence = CONFIDENCE};
    struct selection s = {0};
    bool ok = selection_make(&s, &q);
    if (ok) {
        const struct selection_one *worse = &s.one[s.best == 0 ? 1 : 0];
        double half = 0.5 * (worse->high - worse->low);
        gap->known = isfinite(worse->difference) && isfinite(half);
        gap->difference = s.best == 0 ? -worse->difference : worse->difference;
        gap->half = half;
    }
    selection_release(&s);
    return ok;
}

bool strategy_gaps(const struct gap_goal *g, const struct results *r, size_t one,
                   struct strategy_gap *gaps)
{
    struct all_values all;
    assert(g->objective.stat == OBJECTIVE_MEAN || g->objective.stat == OBJECTIVE_QUANTILE);
    bool ok = all_values_init(&all, g, r);
    for (size_t k = 0; ok && k < r->strategies; k++) {
        gaps[k] = (struct strategy_gap){0};
        if (k != one && all.known[one] && all.known[k] && r->replications > 1) {
            ok = compare(g, r, &all, one, k, &gaps[k]);
        }
    }
    all_values_release(&all);
    return ok;
}

bool strategy_best(const struct gap_goal *g, const struct results *r, size_t *best)
{
    struct all_values all;
    bool ok = all_values_init(&all, g, r) && r->replications > 0;
    *best = SIZE_MAX;
    for (size_t k = 0; ok && k < r->strategies; k++) {
        struct strategy_gap gap = {0};
        if (!all.known[k]) {
            continue;
        }
        if (*best != SIZE_MAX) {
            ok = compare(g, r, &all, *best, k, &gap);
        }
        if (*best == SIZE_MAX || gap.difference > 0) {
            *best = k;
        }
    }
    all_values_release(&all);
    return ok;
}
