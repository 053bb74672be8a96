/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/summary_table.h"

#include "engine/statistics.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/metric_block.h"

#include <math.h>

#define CONFIDENCE 0.95

static const double quantiles[] = {0.05, 0.10, 0.25, 0.50, 0.75, 0.80, 0.90, 0.95, 0.99};
enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };
/* Those of them that have an interval and bounds. */
static const int bounded[] = {3, 5, 6, 7};
enum { BOUNDED = sizeof bounded / sizeof bounded[0] };

/* Share of ones: of a yes-or-no metric with censored worlds, which count as 0, the least that it
 * can be. */
static double share_of_ones(const double *values, size_t n, size_t count)
{
    double ones = 0;
    for (size_t i = 0; i < n; i++) {
        ones += values[i] > 0;
    }
    return ones / (double)count;
}

/* The smallest value; missing when a censored one lies below all others. */
static double known_min(const struct sample *s)
{
    struct quantile q = sample_quantile(s, 0.5 / (double)sample_count(s), CONFIDENCE);
    return q.value;
}

static void put_values(struct result_rows *rows, const struct sample *s)
{
    struct quantile q[QUANTILES];
    rows_number(rows, known_min(s));
    for (int i = 0; i < QUANTILES; i++) {
        q[i] = sample_quantile(s, quantiles[i], CONFIDENCE);
        rows_number(rows, q[i].value);
    }
    rows_number(rows, sample_max(s));
    for (int i = 0; i < BOUNDED; i++) {
        rows_number(rows, q[bounded[i]].low);
        rows_number(rows, q[bounded[i]].high);
    }
    for (int i = 0; i < BOUNDED; i++) {
        const struct quantile *one = &q[bounded[i]];
        rows_number(rows, one->known ? (double)NAN : one->at_least);
    }
    for (int i = 0; i < BOUNDED; i++) {
        const struct quantile *one = &q[bounded[i]];
        rows_number(rows, one->known ? (double)NAN : one->at_most);
    }
}

static void put_metric(struct result_rows *rows, const struct run *run, size_t strategy,
                       size_t workload, enum metric m, const struct metric_block *b)
{
    const double *values = metric_block_values(b, m);
    struct sample *s = sample_new(values, metric_block_censored(b, m), b->n);
    if (s == NULL) {
        rows_fail(rows);
        return;
    }
    if (sample_count(s) > 0) {
        char column[64], unit[16];
        const char *currency = run->study->scenario->currency;
        bool yes_no = metric_table[m].kind == METRIC_YES_NO;
        rows_next(rows);
        rows_text(rows, study_strategy_name(run->study, strategy));
        rows_text(rows, study_workload_name(run->study, workload));
        rows_text(rows, metric_column(m, currency, column));
        rows_text(rows, metric_unit(m, currency, unit));
        rows_integer(rows, (int64_t)sample_count(s));
        rows_integer(rows, (int64_t)sample_censored(s));
        rows_number(rows, yes_no ? share_of_ones(values, b->n, sample_count(s)) : sample_mean(s));
        rows_number(rows, sample_sd(s));
        put_values(rows, s);
    }
    sample_free(s);
}

struct table *summary_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct metric_block b;
    rows_begin(&rows, "summary", run->study->scenario->currency);
    if (!metric_block_init(&b, r->replications)) {
        rows_fail(&rows);
        return rows_end(&rows);
    }
    for (size_t k = 0; k < r->strategies; k++) {
        for (size_t w = 0; w <= r->workloads; w++) {
            metric_block_fill(&b, r, k, w);
            for (int m = 0; m < METRIC_COUNT; m++) {
                put_metric(&rows, run, k, w, (enum metric)m, &b);
            }
        }
    }
    metric_block_release(&b);
    return rows_end(&rows);
}
