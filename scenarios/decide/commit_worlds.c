/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/commit_worlds.h"

#include "engine/replications.h"
#include "engine/statistics.h"
#include "models/commitments/commitment_levels.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/metrics.h"

#include <math.h>
#include <stdlib.h>

/* Portfolios that are rated in one pass over the worlds: more need no more memory then. */
#define MOST_IN_A_PASS 64
/* Usage of worlds that is kept; what goes beyond is simulated anew for each pass. */
#define MOST_KEPT_BYTES ((size_t)512 << 20)

bool commit_worlds_init(struct commit_worlds *w, struct study *study, size_t strategy,
                        uint32_t first, uint32_t count, const struct run_options *options,
                        struct arena *points, struct diagnostics *d)
{
    *w = (struct commit_worlds){.study = study,
                                .strategy = strategy,
                                .items = study->strategies[strategy].commitments.count,
                                .first = first,
                                .count = count,
                                .options = options,
                                .d = d,
                                .points = points};
    for (size_t k = 0; k < study->strategy_count; k++) {
        commitment_levels_release(&study->strategies[k].levels);
    }
    if (!world_results_init(&w->results, study, count) ||
        !kept_worlds_init(&w->kept, count, MOST_KEPT_BYTES)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the worlds");
        return false;
    }
    return true;
}

void commit_worlds_release(struct commit_worlds *w)
{
    results_release(&w->results);
    kept_worlds_release(&w->kept);
    commitment_levels_release(&w->study->strategies[w->strategy].levels);
}

/* ---- values ---- */

bool commit_value_of(const double *cost, size_t n, struct commit_value *v)
{
    struct sample *s = sample_new(cost, NULL, n);
    if (s == NULL) {
        return false;
    }
    v->mean = sample_mean(s);
    v->p50 = sample_quantile(s, 0.5, 0.95).value;
    v->p90 = sample_quantile(s, 0.9, 0.95).value;
    /* The tail holds n / 10 worlds, the last of which counts in part. */
    const double *sorted = sample_sorted(s);
    double tail = 0.1 * (double)n, sum = 0;
    for (size_t i = n; i-- > 0 && tail > 0; tail -= 1) {
        sum += fmin(tail, 1) * sorted[i];
    }
    v->cvar90 = sum / (0.1 * (double)n);
    sample_free(s);
    return true;
}

static bool fill_point(const struct commit_worlds *w, const struct level_results *levels,
                       size_t level, struct commit_point *p)
{
    const struct commitment_plan *plan = &w->study->strategies[w->strategy].commitments;
    double paid = 0, unused = 0, covered_us = 0;
    size_t badly = 0;
    p->cost = arena_array(w->points, w->count, sizeof *p->cost);
    if (p->cost == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        const struct level_cell *cell = &level_results_cells(levels, i, w->strategy)[level];
        const double of_unused = money_to_double(cell->unused);
        const double whole = of_unused + money_to_double(cell->used_inside);
        p->cost[i] = money_to_double(cell->cost);
        unused += of_unused;
        paid += whole;
        covered_us += (double)cell->covered_us;
        badly += of_unused > COMMIT_BADLY_USED * whole;
    }
    p->value = (struct commit_value){0};
    for (size_t k = 0; k < w->items; k++) {
        const struct commitment c = commitment_of_size(plan, k, p->sizes[k]);
        p->value.obligation += money_to_double(commitment_obligation(&c));
    }
    p->value.unused_frac = paid > 0 ? unused / paid : 0;
    p->value.p_badly = (double)badly / (double)w->count;
    p->value.covered_h = covered_us / 3.6e9 / (double)w->count;
    return commit_value_of(p->cost, w->count, &p->value);
}

/* ---- a pass ---- */

static bool check_finished(const struct commit_worlds *w)
{
    size_t cut = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        cut += metric_cut(results_cells(&w->results, i, w->strategy, w->results.workloads));
    }
    if ((double)cut > CHOICE_MOST_UNFINISHED * (double)w->count) {
        diagnostics_add(w->d, DIAGNOSTIC_ERROR, (struct place){0},
                        "strategy '%s' is unfinished in %zu of %u worlds, whose cost is not final; "
                        "expected a horizon in which the work is done",
                        study_strategy_name(w->study, w->strategy), cut, w->count);
        return false;
    }
    return true;
}

/* The worlds once, rated under these portfolios. */
static bool simulate(struct commit_worlds *w, struct level_results *levels)
{
    bool *strategies = calloc(w->study->strategy_count, sizeof *strategies);
    if (strategies == NULL) {
        diagnostics_add(w->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    strategies[w->strategy] = true;
    struct world_batch batch;
    world_batch_init(&batch, w->study, &w->results);
    batch.first = w->first;
    batch.levels = levels;
    batch.strategies = strategies;
    batch.kept = &w->kept;
    const struct replications plan = world_batch_plan(&batch, w->options);
    const struct replications_result result = replications_run(&plan, 0, w->count);
    batch.worker_error = result.worker_error;
    if (result.failed) {
        world_batch_tell(&batch, w->d);
    }
    world_batch_release(&batch);
    free(strategies);
    w->results.replications = w->count;
    return !result.failed && result.complete == w->count && check_finished(w);
}

static bool rate_pass(struct commit_worlds *w, struct commit_point *points, size_t count)
{
    struct study_strategy *of = &w->study->strategies[w->strategy];
    struct arena *arena = arena_new(0);
    double *sizes = calloc(count * w->items + 1, sizeof *sizes);
    size_t *counts = calloc(w->study->strategy_count, sizeof *counts);
    struct level_results levels = {0};
    bool ok = arena != NULL && sizes != NULL && counts != NULL;
    for (size_t i = 0; ok && i < count * w->items; i++) {
        sizes[i] = points[i / w->items].sizes[i % w->items];
    }
    const struct market_context context = {.arena = arena, .diagnostics = w->d};
    ok = ok && commitment_levels_sizes(&of->levels, &of->commitments, sizes, count, &context);
    if (ok) {
        counts[w->strategy] = count;
        ok = level_results_init(&levels, counts, w->study->strategy_count, w->count);
    }
    if (!ok && !diagnostics_failed(w->d)) {
        diagnostics_add(w->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
    ok = ok && simulate(w, &levels);
    for (size_t i = 0; ok && i < count; i++) {
        ok = fill_point(w, &levels, i, &points[i]);
    }
    level_results_release(&levels);
    commitment_levels_release(&of->levels);
    arena_free(arena);
    free(sizes);
    free(counts);
    w->rated += count;
    return ok;
}

bool commit_worlds_rate(struct commit_worlds *w, struct commit_point *points, size_t count)
{
    bool ok = true;
    for (size_t from = 0; ok && from < count; from += MOST_IN_A_PASS) {
        const size_t some = count - from < MOST_IN_A_PASS ? count - from : MOST_IN_A_PASS;
        ok = rate_pass(w, points + from, some);
    }
    return ok;
}
