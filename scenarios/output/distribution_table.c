/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/distribution_table.h"

#include "engine/double_sort.h"
#include "scenarios/output/result_rows.h"

#include <math.h>
#include <stdlib.h>

/* One distribution: finished values and bounds apart, both ascending. */
struct points {
    size_t n;       /* worlds in which the metric exists */
    double *values; /* [0, finished) and [finished, n) */
    size_t finished;
    double *spare;
    unsigned char *censored;
};

static bool points_init(struct points *p, size_t n)
{
    *p = (struct points){.n = n};
    p->values = malloc((n + 1) * sizeof *p->values);
    p->spare = malloc((n + 1) * sizeof *p->spare);
    p->censored = malloc(n + 1);
    return p->values != NULL && p->spare != NULL && p->censored != NULL;
}

static void points_release(struct points *p)
{
    free(p->values);
    free(p->spare);
    free(p->censored);
}

static void points_fill(struct points *p, const struct results *r, size_t strategy, size_t workload,
                        enum metric m)
{
    results_column(r, strategy, workload, m, p->spare, p->censored);
    p->n = 0; /* of cancelled work there is no time */
    for (uint32_t i = 0; i < r->replications; i++) {
        if (!isnan(p->spare[i])) {
            p->spare[p->n] = p->spare[i];
            p->censored[p->n++] = p->censored[i];
        }
    }
    size_t finished = 0, cut = p->n;
    for (size_t i = 0; i < p->n; i++) {
        if (p->censored[i]) {
            p->values[--cut] = p->spare[i];
        } else {
            p->values[finished++] = p->spare[i];
        }
    }
    p->finished = finished;
    double_sort(p->values, p->spare, finished);
    double_sort(p->values + finished, p->spare, p->n - finished);
}

/* How many of the `points` ranks i n / points, i = 1 … points, are at most x. */
static size_t ranks_up_to(size_t x, size_t n, size_t points)
{
    size_t count = ((x + 1) * points - 1) / n;
    return count < points ? count : points;
}

/* Worlds from values[i] on, below `end`, with the same value. */
static size_t run_length(const double *values, size_t i, size_t end)
{
    size_t k = i + 1;
    while (k < end && !(values[k] > values[i])) {
        k++;
    }
    return k - i;
}

static void put_points(struct result_rows *rows, const struct run *run, size_t strategy,
                       size_t workload, enum metric m, const struct points *p)
{
    size_t most = p->n < DISTRIBUTION_POINTS ? p->n : DISTRIBUTION_POINTS;
    size_t f = 0, c = p->finished; /* next finished value, next bound */
    while (f < p->finished || c < p->n) {
        bool is_bound =
            f == p->finished || (c < p->n && p->values[c] < p->values[f]); /* finished first */
        size_t i = is_bound ? c : f;
        size_t before = f + (c - p->finished);
        size_t length = run_length(p->values, i, is_bound ? p->n : p->finished);
        size_t after = before + length;
        f += is_bound ? 0 : length;
        c += is_bound ? length : 0;
        if (ranks_up_to(after, p->n, most) == ranks_up_to(before, p->n, most)) {
            continue;
        }
        char column[64];
        rows_next(rows);
        rows_text(rows, study_strategy_name(run->study, strategy));
        rows_text(rows, study_workload_name(run->study, workload));
        rows_text(rows, metric_column(m, run->study->scenario->currency, column));
        rows_number(rows, p->values[i]);
        rows_number(rows, (double)after / (double)p->n);
        rows_integer(rows, is_bound);
        rows_number(rows, (double)f / (double)p->n);
    }
}

struct table *distribution_table(const struct run *run)
{
    static const enum metric metrics[] = {METRIC_COST, METRIC_TIME_TO_TRAIN};
    const struct results *r = &run->results;
    struct result_rows rows;
    struct points p;
    rows_begin(&rows, "distribution", run->study->scenario->currency);
    if (points_init(&p, r->replications)) {
        for (size_t k = 0; k < r->strategies; k++) {
            for (size_t w = 0; w <= r->workloads; w++) {
                for (size_t m = 0; m < sizeof metrics / sizeof metrics[0]; m++) {
                    points_fill(&p, r, k, w, metrics[m]);
                    put_points(&rows, run, k, w, metrics[m], &p);
                }
            }
        }
    } else {
        rows_fail(&rows);
    }
    points_release(&p);
    return rows_end(&rows);
}
