/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/objective_estimate.h"

#include "engine/statistics.h"
#include "scenarios/study/metrics.h"
#include "scenarios/study/study.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_CONFIDENCE 0.95

static const struct estimate unknown = {.value = (double)NAN,
                                        .at_least = -HUGE_VAL,
                                        .at_most = HUGE_VAL,
                                        .low = -HUGE_VAL,
                                        .high = HUGE_VAL};

/* ---- from worlds ---- */

/* Work without an end of its own is never unfinished; what is cancelled is left out. */
static double unfinished(const struct metric_cells *c)
{
    return metric_cancelled(c) ? (double)NAN : (double)metric_cut(c);
}

size_t objective_column(const struct objective *o, const struct results *r, size_t strategy,
                        double *values, unsigned char *censored)
{
    const size_t workload = o->workload == NULL ? r->workloads : o->workload_index;
    if (!o->unfinished) {
        return results_column(r, strategy, workload, o->metric, values, censored);
    }
    for (uint32_t i = 0; i < r->replications; i++) {
        values[i] = unfinished(results_cells(r, i, strategy, workload));
        censored[i] = 0;
    }
    return 0;
}

/* A chance: `ones` of n are yes, `open` of the others may be. */
static void fill_chance(struct estimate *e, size_t ones, size_t open, size_t n, double confidence)
{
    double unused;
    e->n = n;
    e->censored = open;
    if (n == 0) {
        return;
    }
    e->at_least = (double)ones / (double)n;
    e->at_most = (double)(ones + open) / (double)n;
    e->known = open == 0;
    e->value = e->known ? e->at_least : (double)NAN;
    share_interval(ones, n, confidence, &e->low, &unused);
    share_interval(ones + open, n, confidence, &unused, &e->high);
}

static void from_chance(struct estimate *e, const double *values, const unsigned char *censored,
                        size_t n, double confidence)
{
    size_t ones = 0, open = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        const bool yes = values[i] > 0;
        count += isnan(values[i]) ? 0 : 1;
        ones += yes;
        open += !isnan(values[i]) && !yes && censored != NULL && censored[i];
    }
    fill_chance(e, ones, open, count, confidence);
}

/* Censored values are at least what they are: so is their mean. */
static void fill_mean(struct estimate *e, double mean, double sd, double confidence)
{
    const double size = (double)e->n;
    const double half =
        e->n < 2 ? HUGE_VAL : gsl_cdf_tdist_Pinv(0.5 + confidence / 2, size - 1) * sd / sqrt(size);
    e->known = e->censored == 0;
    e->value = e->known ? mean : (double)NAN;
    e->at_least = mean;
    e->at_most = e->known ? mean : HUGE_VAL;
    e->low = mean - half;
    e->high = e->known ? mean + half : HUGE_VAL;
}

static bool from_mean(struct estimate *e, const double *values, size_t n, double confidence)
{
    struct sample *bounds = sample_new(values, NULL, n);
    if (bounds == NULL) {
        return false;
    }
    fill_mean(e, sample_mean(bounds), sample_sd(bounds), confidence);
    sample_free(bounds);
    return true;
}

/* Of the values seen nothing is sure beyond them. */
static void from_extreme(struct estimate *e, const struct sample *s, enum objective_stat stat)
{
    const double *sorted = sample_sorted(s);
    const bool least = stat == OBJECTIVE_MIN;
    e->value = least ? sample_min(s) : sample_max(s);
    e->known = !isnan(e->value);
    e->at_least = e->known ? e->value : sorted[least ? 0 : sample_count(s) - 1];
    e->at_most = e->known ? e->value : HUGE_VAL;
    e->low = least ? -HUGE_VAL : e->at_least;
    e->high = least ? e->at_most : HUGE_VAL;
}

static void from_quantile(struct estimate *e, const struct quantile *q)
{
    e->value = q->value;
    e->known = q->known;
    e->at_least = q->at_least;
    e->at_most = q->at_most;
    e->low = q->low;
    e->high = q->high;
}

bool objective_estimate_from(const struct objective *o, const double *values,
                             const unsigned char *censored, size_t n, double confidence,
                             struct estimate *e)
{
    *e = unknown;
    if (metric_table[o->metric].kind == METRIC_YES_NO) {
        from_chance(e, values, censored, n, confidence);
        return true;
    }
    struct sample *s = sample_new(values, censored, n);
    if (s == NULL) {
        return false;
    }
    bool ok = true;
    e->n = sample_count(s);
    e->censored = sample_censored(s);
    if (e->n > 0 && o->stat == OBJECTIVE_MEAN) {
        ok = from_mean(e, values, n, confidence);
    } else if (e->n > 0 && o->stat == OBJECTIVE_QUANTILE) {
        const struct quantile q = sample_quantile(s, o->quantile, confidence);
        from_quantile(e, &q);
    } else if (e->n > 0) {
        from_extreme(e, s, o->stat);
    }
    sample_free(s);
    return ok;
}

bool objective_estimate(const struct objective *o, const struct results *r, size_t strategy,
                        double confidence, struct estimate *e)
{
    double *values = malloc((r->replications + 1) * sizeof *values);
    unsigned char *censored = malloc(r->replications + 1);
    bool ok = values != NULL && censored != NULL;
    if (ok) {
        objective_column(o, r, strategy, values, censored);
        ok = objective_estimate_from(o, values, censored, r->replications, confidence, e);
    }
    free(values);
    free(censored);
    return ok;
}

/* ---- from summary.csv ---- */

/* SIZE_MAX: there is no such row. */
static size_t find_row(const struct table *t, const char *strategy, const char *workload,
                       size_t workload_length, const char *metric)
{
    const int s = table_find(t, "strategy"), w = table_find(t, "workload"),
              m = table_find(t, "metric");
    for (size_t i = 0; s >= 0 && w >= 0 && m >= 0 && i < table_rows(t); i++) {
        const char *of = table_text(t, i, (size_t)w);
        if (strcmp(table_text(t, i, (size_t)s), strategy) == 0 && strlen(of) == workload_length &&
            memcmp(of, workload, workload_length) == 0 &&
            strcmp(table_text(t, i, (size_t)m), metric) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

static double cell(const struct table *t, size_t row, const char *column)
{
    const int c = table_find(t, column);
    return c < 0 ? (double)NAN : table_number(t, row, (size_t)c);
}

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static size_t count_of(const struct table *t, size_t row, const char *column)
{
    const double n = cell(t, row, column);
    return n > 0 ? (size_t)llround(n) : 0;
}

static void quantile_from_row(struct estimate *e, const struct table *t, size_t row,
                              double quantile)
{
    char name[16], other[40];
    snprintf(name, sizeof name, "p%g", quantile * 100);
    e->value = cell(t, row, name);
    e->known = !isnan(e->value);
    snprintf(other, sizeof other, "%s_at_least", name);
    e->at_least = e->known ? e->value : or_else(cell(t, row, other), -HUGE_VAL);
    snprintf(other, sizeof other, "%s_at_most", name);
    e->at_most = e->known ? e->value : or_else(cell(t, row, other), HUGE_VAL);
    snprintf(other, sizeof other, "%s_low", name);
    e->low = or_else(cell(t, row, other), -HUGE_VAL);
    snprintf(other, sizeof other, "%s_high", name);
    e->high = or_else(cell(t, row, other), HUGE_VAL);
    if (table_find(t, name) < 0) {
        *e = unknown;
    }
}

static void extreme_from_row(struct estimate *e, const struct table *t, size_t row,
                             enum objective_stat stat)
{
    const bool least = stat == OBJECTIVE_MIN;
    e->value = cell(t, row, least ? "min" : "max");
    e->known = !isnan(e->value);
    e->at_least = e->known ? e->value : -HUGE_VAL;
    e->at_most = e->known ? e->value : HUGE_VAL;
    e->low = least ? -HUGE_VAL : e->at_least;
    e->high = least ? e->at_most : HUGE_VAL;
}

static void chance_from_row(struct estimate *e, const struct table *t, size_t row, bool complement)
{
    const double n = (double)e->n;
    const size_t ones = (size_t)llround(fmax(0, cell(t, row, "mean")) * n);
    fill_chance(e, complement ? e->n - ones : ones, e->censored, e->n, SUMMARY_CONFIDENCE);
}

/* No row tells of work that has no end of its own; and none of what was always cancelled. */
static void never_unfinished(struct estimate *e, const struct table *t, size_t cost,
                             size_t cancelled)
{
    const double share = cancelled == SIZE_MAX ? 0 : or_else(cell(t, cancelled, "mean"), 0);
    if (cost != SIZE_MAX) {
        const double n = (double)count_of(t, cost, "n") * (1 - share);
        fill_chance(e, 0, 0, (size_t)llround(fmax(0, n)), SUMMARY_CONFIDENCE);
    }
}

void objective_estimate_summary(const struct objective *o, const struct table *summary,
                                const char *strategy, const char *currency, struct estimate *e)
{
    const char *workload = o->workload == NULL ? STUDY_ALL : o->workload;
    const size_t length = o->workload == NULL ? strlen(STUDY_ALL) : o->workload_length;
    char column[64];
    *e = unknown;
    const size_t row =
        find_row(summary, strategy, workload, length, metric_column(o->metric, currency, column));
    if (row == SIZE_MAX) {
        if (o->unfinished) {
            never_unfinished(e, summary,
                             find_row(summary, strategy, workload, length,
                                      metric_column(METRIC_COST, currency, column)),
                             find_row(summary, strategy, workload, length,
                                      metric_column(METRIC_CANCELLED, currency, column)));
        }
        return;
    }
    e->n = count_of(summary, row, "n");
    e->censored = count_of(summary, row, "censored");
    if (e->n == 0) {
        return;
    }
    if (metric_table[o->metric].kind == METRIC_YES_NO) {
        chance_from_row(e, summary, row, o->unfinished);
    } else if (o->stat == OBJECTIVE_QUANTILE) {
        quantile_from_row(e, summary, row, o->quantile);
    } else if (o->stat != OBJECTIVE_MEAN) {
        extreme_from_row(e, summary, row, o->stat);
    } else if (e->censored == 0) {
        fill_mean(e, cell(summary, row, "mean"), or_else(cell(summary, row, "sd"), HUGE_VAL),
                  SUMMARY_CONFIDENCE);
    }
}
