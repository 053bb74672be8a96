/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/comparison_table.h"

#include "engine/statistics.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/metric_block.h"
#include "scenarios/study/rate_doubt.h"

#include <math.h>

struct sure_difference sure_difference(const double *a, const unsigned char *a_censored,
                                       const double *b, const unsigned char *b_censored, size_t n)
{
    struct sure_difference d = {0};
    double sum = 0;
    bool may_be_more = false, may_be_less = false;
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i])) {
            continue;
        }
        d.pairs++;
        sum += a[i] - b[i];
        may_be_more = may_be_more || a_censored[i];
        may_be_less = may_be_less || b_censored[i];
        /* b can only be more than it seems. */
        d.wins += !a_censored[i] && a[i] < b[i];
        d.ties += !a_censored[i] && !b_censored[i] && !(a[i] < b[i]) && !(a[i] > b[i]);
    }
    double mean = d.pairs > 0 ? sum / (double)d.pairs : (double)NAN;
    d.at_least = may_be_less ? (double)NAN : mean;
    d.at_most = may_be_more ? (double)NAN : mean;
    return d;
}

/* NaN when any is censored, or there is none. */
static double mean_of(const double *values, const unsigned char *censored, size_t n)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            if (censored[i]) {
                return (double)NAN;
            }
            sum += values[i];
            count++;
        }
    }
    return count > 0 ? sum / (double)count : (double)NAN;
}

static void put_difference(struct result_rows *rows, struct metric_block *a, struct metric_block *b,
                           enum metric m)
{
    const size_t n = m == METRIC_CANCELLED ? a->n : metric_block_leave_cancelled(a, b, m);
    const double *of_a = metric_block_values(a, m), *of_b = metric_block_values(b, m);
    const unsigned char *a_censored = metric_block_censored(a, m);
    const unsigned char *b_censored = metric_block_censored(b, m);
    struct paired p = paired_difference(of_a, a_censored, of_b, b_censored, n);
    struct sure_difference d = sure_difference(of_a, a_censored, of_b, b_censored, n);
    double base = mean_of(of_b, b_censored, n);
    bool known = p.left_out == 0;
    rows_integer(rows, (int64_t)p.n);
    rows_integer(rows, (int64_t)p.left_out);
    rows_number(rows, p.mean);
    rows_number(rows, p.low);
    rows_number(rows, p.high);
    rows_number(rows, (double)d.wins / (double)d.pairs);
    rows_number(rows, (double)d.ties / (double)d.pairs);
    rows_number(rows, base > 0 || base < 0 ? p.mean / base : (double)NAN);
    rows_number(rows, known ? (double)NAN : d.at_least);
    rows_number(rows, known ? (double)NAN : d.at_most);
}

/* True when the metric exists for both in some world. */
static bool exists(const struct metric_block *a, const struct metric_block *b, enum metric m)
{
    const double *of_a = metric_block_values(a, m), *of_b = metric_block_values(b, m);
    for (size_t i = 0; i < a->n; i++) {
        if (!isnan(of_a[i]) && !isnan(of_b[i])) {
            return true;
        }
    }
    return false;
}

static void put_pair(struct result_rows *rows, const struct run *run, size_t strategy,
                     size_t workload, struct metric_block *a, struct metric_block *b)
{
    const struct study *study = run->study;
    const char *currency = study->scenario->currency;
    const bool doubted = rate_doubt(study, strategy, study->baseline);
    for (int m = 0; m < METRIC_COUNT; m++) {
        char column[64], unit[16];
        if (!exists(a, b, (enum metric)m)) {
            continue;
        }
        rows_next(rows);
        rows_text(rows, study_strategy_name(study, strategy));
        rows_text(rows, study_strategy_name(study, study->baseline));
        rows_text(rows, study_workload_name(study, workload));
        rows_text(rows, metric_column((enum metric)m, currency, column));
        rows_text(rows, metric_unit((enum metric)m, currency, unit));
        put_difference(rows, a, b, (enum metric)m);
        bool of_money = metric_table[m].kind == METRIC_MONEY || m == METRIC_OVER_BUDGET;
        rows_text(rows, doubted && of_money ? RATE_DOUBT : NULL);
    }
}

struct table *comparison_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct metric_block a = {0}, b = {0};
    rows_begin(&rows, "comparison", run->study->scenario->currency);
    if (metric_block_init(&a, r->replications) && metric_block_init(&b, r->replications)) {
        for (size_t k = 0; k < r->strategies; k++) {
            for (size_t w = 0; k != run->study->baseline && w <= r->workloads; w++) {
                metric_block_fill(&a, r, k, w);
                metric_block_fill(&b, r, run->study->baseline, w);
                put_pair(&rows, run, k, w, &a, &b);
            }
        }
    } else {
        rows_fail(&rows);
    }
    metric_block_release(&a);
    metric_block_release(&b);
    return rows_end(&rows);
}
