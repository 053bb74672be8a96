/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/objective_estimate.h"

#include "engine/statistics.h"
#include "scenarios/study/metrics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const struct estimate unknown = {.value = (double)NAN,
                                        .at_least = -HUGE_VAL,
                                        .at_most = HUGE_VAL,
                                        .low = -HUGE_VAL,
                                        .high = HUGE_VAL};

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
