/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/results.h"

#include "engine/statistics.h"

#include <math.h>
#include <stdlib.h>

size_t results_bytes(size_t strategies, size_t workloads, size_t months, size_t others)
{
    size_t turned = 2 * METRIC_COUNT * (sizeof(double) + 1); /* see metric_block.h */
    return strategies *
               ((workloads + 1) * (sizeof(struct metric_cells) + others * sizeof(money_t)) +
                (1 + BILL_ROWS) * months * sizeof(money_t)) +
           turned;
}

bool results_init(struct results *r, size_t strategies, size_t workloads, size_t months,
                  size_t others, uint32_t capacity)
{
    *r = (struct results){.strategies = strategies,
                          .workloads = workloads,
                          .months = months,
                          .others = others,
                          .capacity = capacity};
    size_t rows, cells, month, parts, other;
    if (__builtin_mul_overflow((size_t)capacity, strategies, &rows) ||
        __builtin_mul_overflow(rows, workloads + 1, &cells) ||
        __builtin_mul_overflow(rows, months, &month) ||
        __builtin_mul_overflow(month, BILL_ROWS, &parts) ||
        __builtin_mul_overflow(cells, others, &other)) {
        return false;
    }
    /* calloc of untouched pages costs nothing: a run that stops early pays for what it used. */
    r->cells = calloc(cells, sizeof *r->cells);
    r->month = calloc(month, sizeof *r->month);
    r->by_month = calloc(parts, sizeof *r->by_month);
    r->other = calloc(other + 1, sizeof *r->other);
    if (r->cells == NULL || r->month == NULL || r->by_month == NULL || r->other == NULL) {
        results_release(r);
        return false;
    }
    return true;
}

bool results_keep_accounts(struct results *r, const size_t *counts)
{
    size_t cells;
    r->account_start = calloc(r->strategies + 1, sizeof *r->account_start);
    if (r->account_start == NULL) {
        return false;
    }
    for (size_t k = 0; k < r->strategies; k++) {
        r->account_start[k + 1] = r->account_start[k] + counts[k];
    }
    if (__builtin_mul_overflow((size_t)r->capacity, r->account_start[r->strategies], &cells)) {
        return false;
    }
    r->accounts = calloc(cells + 1, sizeof *r->accounts);
    return r->accounts != NULL;
}

bool results_keep_holders(struct results *r, size_t holders)
{
    size_t rows, cells;
    if (holders == 0) {
        return true;
    }
    if (__builtin_mul_overflow((size_t)r->capacity, r->strategies, &rows) ||
        __builtin_mul_overflow(rows, holders, &cells)) {
        return false;
    }
    r->held = calloc(cells, sizeof *r->held);
    r->holders = r->held == NULL ? 0 : holders;
    return r->held != NULL;
}

bool results_keep_bounds(struct results *r, size_t gangs, uint32_t worlds)
{
    r->bounds = calloc((size_t)worlds * gangs + 1, sizeof *r->bounds);
    r->gangs = gangs;
    r->bound_worlds = r->bounds == NULL || gangs == 0 ? 0 : worlds;
    return r->bounds != NULL;
}

void results_release(struct results *r)
{
    free(r->bounds);
    r->bounds = NULL;
    r->bound_worlds = 0;
    free(r->accounts);
    free(r->held);
    r->held = NULL;
    r->holders = 0;
    free(r->account_start);
    r->accounts = NULL;
    r->account_start = NULL;
    free(r->cells);
    free(r->month);
    free(r->by_month);
    free(r->other);
    r->cells = NULL;
    r->month = NULL;
    r->by_month = NULL;
    r->other = NULL;
}

size_t results_column(const struct results *r, size_t strategy, size_t workload, enum metric m,
                      double *values, unsigned char *censored)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        const struct metric_cells *c = results_cells(r, i, strategy, workload);
        values[i] = metric_number(c, m);
        censored[i] = metric_censored(c, m);
        count += censored[i];
    }
    return count;
}

/* The uncensored value nearest `middle`, the first of equals; any value when all are censored. */
static uint32_t nearest(const double *values, const unsigned char *censored, uint32_t n,
                        bool all_censored, double middle)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        bool eligible = all_censored || !censored[i];
        if (eligible &&
            (best == UINT32_MAX || fabs(values[i] - middle) < fabs(values[best] - middle))) {
            best = i;
        }
    }
    return best;
}

bool results_plan_world(const struct results *r, size_t strategy, uint32_t *world)
{
    uint32_t n = r->replications;
    *world = UINT32_MAX;
    if (n == 0) {
        return true;
    }
    double *values = malloc(n * sizeof *values);
    unsigned char *censored = malloc(n);
    struct sample *s = NULL;
    if (values != NULL && censored != NULL) {
        size_t cut = results_column(r, strategy, r->workloads, METRIC_COST, values, censored);
        s = sample_new(values, cut < n ? censored : NULL, n);
        if (s != NULL) {
            struct quantile median = sample_quantile(s, 0.5, 0.95);
            *world = nearest(values, censored, n, cut == n,
                             median.known ? median.value : median.at_least);
        }
    }
    bool ok = s != NULL;
    sample_free(s);
    free(values);
    free(censored);
    return ok;
}

bool results_never_finish(const struct results *r, size_t strategy)
{
    for (uint32_t i = 0; i < r->replications; i++) {
        if (!metric_cut(results_cells(r, i, strategy, r->workloads))) {
            return false;
        }
    }
    return true;
}
