/* SPDX-License-Identifier: GPL-3.0-or-later
 * See levels_table.h. All levels of a world share its usage, so that what one saves is a difference
 * world by world, known far better than the costs themselves. */
#include "scenarios/output/levels_table.h"

#include "engine/statistics.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* The worlds of one strategy and level. */
struct level_worlds {
    const struct run *run;
    size_t strategy, n;
    double *cost, *none, *as_signed, *other; /* at the level, at 0, at 1; scratch */
    unsigned char *censored;                 /* the work was cut off: both costs are lower bounds */
    size_t cut;
};

static bool worlds_init(struct level_worlds *w, const struct run *run)
{
    const size_t n = run->results.replications;
    *w =
        (struct level_worlds){.run = run, .n = n < run->levels.capacity ? n : run->levels.capacity};
    w->cost = malloc((w->n + 1) * sizeof *w->cost);
    w->none = malloc((w->n + 1) * sizeof *w->none);
    w->as_signed = malloc((w->n + 1) * sizeof *w->as_signed);
    w->other = malloc((w->n + 1) * sizeof *w->other);
    w->censored = malloc(w->n + 1);
    return w->cost != NULL && w->none != NULL && w->as_signed != NULL && w->other != NULL &&
           w->censored != NULL;
}

static void worlds_release(struct level_worlds *w)
{
    free(w->cost);
    free(w->none);
    free(w->as_signed);
    free(w->other);
    free(w->censored);
}

static const struct level_cell *cell_of(const struct level_worlds *w, size_t world, size_t level)
{
    return &level_results_cells(&w->run->levels, (uint32_t)world, w->strategy)[level];
}

static void fill_costs(const struct level_worlds *w, size_t level, double *to)
{
    for (size_t i = 0; i < w->n; i++) {
        to[i] = money_to_double(cell_of(w, i, level)->cost);
    }
}

static void begin_strategy(struct level_worlds *w, size_t strategy)
{
    const struct results *r = &w->run->results;
    w->strategy = strategy;
    w->cut = 0;
    for (size_t i = 0; i < w->n; i++) {
        w->censored[i] = metric_cut(results_cells(r, (uint32_t)i, strategy, r->workloads));
        w->cut += w->censored[i];
    }
    fill_costs(w, 0, w->none);
    const struct commitment_levels *levels = &w->run->study->strategies[strategy].levels;
    for (size_t i = 0; i < levels->count; i++) {
        if (levels->levels[i].share == 1.0) {
            fill_costs(w, i, w->as_signed);
        }
    }
}

/* ---- what is signed ---- */

static void put_signed(struct result_rows *rows, const struct commitment_plan *plan,
                       int64_t horizon_us)
{
    int64_t instances = 0;
    money_t hourly = 0, total = 0, amortised = 0;
    bool reserved = false, savings = false;
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &plan->items[k];
        instances += c->count;
        (void)money_add(&hourly, c->hourly);
        (void)money_add(&total, commitment_obligation(c));
        (void)money_add(&amortised, commitment_amortised(c, INT64_MIN / 4, horizon_us));
        reserved = reserved || commitment_is_reserved(c);
        savings = savings || commitment_is_savings_plan(c);
    }
    rows_integer(rows, reserved ? instances : COLUMN_MISSING_INTEGER);
    rows_number(rows, savings ? money_to_double(hourly) : (double)NAN);
    rows_number(rows, money_to_double(amortised) * (double)HOUR_US / (double)horizon_us);
    rows_money(rows, total);
}

/* ---- what it came to ---- */

static void put_cost(struct result_rows *rows, const struct level_worlds *w)
{
    struct sample *s = sample_new(w->cost, w->censored, w->n);
    struct world_quantiles q;
    if (s == NULL || !world_quantiles(&q, w->cost, w->censored, w->n)) {
        sample_free(s);
        rows_fail(rows);
        return;
    }
    double half =
        w->n > 1 ? gsl_cdf_tdist_Pinv(0.975, (double)w->n - 1) * sample_mean_error(s) : (double)NAN;
    rows_number(rows, q.mean);
    rows_number(rows, q.mean - half);
    rows_number(rows, q.mean + half);
    rows_number(rows, q.p10);
    rows_number(rows, q.p50);
    rows_number(rows, q.p90);
    sample_free(s);
}

static void put_mean(struct result_rows *rows, const double *values, size_t n)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            sum += values[i];
            known++;
        }
    }
    rows_number(rows, known > 0 ? sum / (double)known : (double)NAN);
}

/* Shares are taken world by world, then averaged, as in commitments.csv. */
static void put_shares(struct result_rows *rows, const struct level_worlds *w, size_t level)
{
    const struct results *r = &w->run->results;
    for (size_t i = 0; i < w->n; i++) {
        const struct level_cell *c = cell_of(w, i, level);
        double inside = (double)c->used_inside + (double)c->unused;
        w->other[i] = inside > 0 ? (double)c->unused / inside : (double)NAN;
    }
    put_mean(rows, w->other, w->n);
    for (size_t i = 0; i < w->n; i++) {
        const struct metric_cells *all = results_cells(r, (uint32_t)i, w->strategy, r->workloads);
        double hours = 0;
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            hours += all->node_h[PURCHASE_ON_DEMAND][a];
        }
        double covered_h = (double)cell_of(w, i, level)->covered_us / (double)HOUR_US;
        w->other[i] = hours > 0 ? fmin(covered_h / hours, 1) : (double)NAN;
    }
    put_mean(rows, w->other, w->n);
}

/* a - b, world by world. */
static void put_difference(struct result_rows *rows, const struct level_worlds *w, const double *a,
                           const double *b)
{
    struct paired p = paired_difference(a, w->censored, b, w->censored, w->n);
    rows_number(rows, p.mean);
    rows_number(rows, p.low);
    rows_number(rows, p.high);
}

static void put_level(struct result_rows *rows, const struct level_worlds *w, size_t level)
{
    const struct study *study = w->run->study;
    const struct commitment_level *of = &study->strategies[w->strategy].levels.levels[level];
    fill_costs(w, level, w->cost);
    rows_next(rows);
    rows_text(rows, study_strategy_name(study, w->strategy));
    rows_number(rows, of->share);
    put_signed(rows, &of->plan, study->frame.horizon_us);
    rows_integer(rows, (int64_t)w->n);
    rows_integer(rows, (int64_t)w->cut);
    put_cost(rows, w);
    put_shares(rows, w, level);
    put_difference(rows, w, w->none, w->cost);
    put_difference(rows, w, w->cost, w->as_signed);
}

struct table *levels_table(const struct run *run)
{
    struct result_rows rows;
    struct level_worlds w;
    rows_begin(&rows, "commitment_levels", run->study->scenario->currency);
    if (worlds_init(&w, run)) {
        for (size_t k = 0; w.n > 0 && k < run->results.strategies; k++) {
            const size_t levels = run->study->strategies[k].levels.count;
            if (levels > 0) {
                begin_strategy(&w, k);
            }
            for (size_t i = 0; i < levels; i++) {
                put_level(&rows, &w, i);
            }
        }
    } else {
        rows_fail(&rows);
    }
    worlds_release(&w);
    return rows_end(&rows);
}
