/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/sensitivity_table.h"

#include "engine/rank_correlation.h"
#include "engine/statistics.h"
#include "scenarios/output/drawn_inputs.h"
#include "scenarios/output/result_rows.h"

#include <math.h>
#include <stdlib.h>

#define CONFIDENCE 0.95
/* Shares of the worlds that are called low and high. */
#define LOW  0.2
#define HIGH 0.8
/* Sure bounds of a median that lie so close are as good as the median. */
#define NEAR 0.01
/* Values within this share of each other differ by rounding alone. */
#define ROUNDING 1e-9

static const enum metric metrics[] = {METRIC_COST, METRIC_TIME_TO_TRAIN};

/* What one metric of one strategy was in each world, and room for parts of it. */
struct observed {
    struct result_rows *rows;
    const struct run *run;
    size_t strategy, n;
    enum metric metric;
    double *values, *part;
    unsigned char *censored;
    struct ranking ranking;
    double p50;
};

static double median_of(const double *values, const unsigned char *censored, size_t n,
                        struct result_rows *rows)
{
    struct sample *s = sample_new(values, censored, n);
    double median = (double)NAN;
    if (s == NULL) {
        rows_fail(rows);
    } else if (sample_count(s) > 0) {
        struct quantile q = sample_quantile(s, 0.5, CONFIDENCE);
        median = q.at_most - q.at_least <= NEAR * fabs(q.at_most) ? q.at_most : q.value;
    }
    sample_free(s);
    return median;
}

/* Quantiles of the input over the worlds in which the metric exists. */
struct input_levels {
    double p10, low, p50, high, p90;
};

static bool levels_of(struct observed *o, const double *x, struct input_levels *l)
{
    for (size_t i = 0; i < o->n; i++) {
        o->part[i] = isnan(o->values[i]) ? (double)NAN : x[i];
    }
    struct sample *s = sample_new(o->part, NULL, o->n);
    if (s != NULL) {
        *l = (struct input_levels){
            sample_quantile(s, 0.1, CONFIDENCE).value, sample_quantile(s, LOW, CONFIDENCE).value,
            sample_quantile(s, 0.5, CONFIDENCE).value, sample_quantile(s, HIGH, CONFIDENCE).value,
            sample_quantile(s, 0.9, CONFIDENCE).value};
    }
    sample_free(s);
    return s != NULL;
}

/* The metric's median over the worlds whose input lies in [from, to]. */
static double median_within(struct observed *o, const double *x, double from, double to)
{
    for (size_t i = 0; i < o->n; i++) {
        o->part[i] = x[i] >= from && x[i] <= to ? o->values[i] : (double)NAN;
    }
    return median_of(o->part, o->censored, o->n, o->rows);
}

static void put_input(struct observed *o, const struct input *in, struct ranking *of_input)
{
    char column[64], unit[16];
    const char *currency = o->run->study->scenario->currency;
    const double *x = of_input->values;
    struct rank_correlation c = rank_correlation(of_input, &o->ranking);
    struct input_levels l;
    if (!levels_of(o, x, &l)) {
        rows_fail(o->rows);
        return;
    }
    const bool varies = l.low < l.high;
    size_t cut = 0;
    for (size_t i = 0; i < o->n; i++) {
        cut += o->censored[i] != 0 && !isnan(o->values[i]) ? 1 : 0;
    }
    rows_next(o->rows);
    rows_text(o->rows, study_strategy_name(o->run->study, o->strategy));
    rows_text(o->rows, metric_column(o->metric, currency, column));
    rows_text(o->rows, metric_unit(o->metric, currency, unit));
    rows_text(o->rows, in->name);
    rows_text(o->rows, in->unit);
    rows_integer(o->rows, (int64_t)c.n);
    rows_number(o->rows, c.value);
    rows_number(o->rows, c.low);
    rows_number(o->rows, c.high);
    rows_number(o->rows, l.p10);
    rows_number(o->rows, l.p50);
    rows_number(o->rows, l.p90);
    rows_number(o->rows, varies ? median_within(o, x, -INFINITY, l.low) : (double)NAN);
    rows_number(o->rows, varies ? median_within(o, x, l.high, INFINITY) : (double)NAN);
    rows_number(o->rows, o->p50);
    rows_integer(o->rows, (int64_t)cut);
}

/* A cost that is signed is the same in every world but for the nano-units of its pieces: an order
 * among those says nothing of an input. */
static void level_rounding(double *values, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, values[i]); /* NaN is passed over */
        most = fmax(most, values[i]);
    }
    if (!(most - least <= ROUNDING * fmax(fabs(least), fabs(most)))) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = isnan(values[i]) ? values[i] : least;
    }
}

static void put_metric(struct observed *o, struct ranking *inputs, size_t count)
{
    const struct results *r = &o->run->results;
    results_column(r, o->strategy, r->workloads, o->metric, o->values, o->censored);
    level_rounding(o->values, o->n);
    bool ok = ranking_init(&o->ranking, o->values, o->censored, o->n);
    if (!ok) {
        rows_fail(o->rows);
    } else if (o->ranking.known > 0) {
        o->p50 = median_of(o->values, o->censored, o->n, o->rows);
        for (size_t k = 0; k < count; k++) {
            put_input(o, inputs_at(o->run->study->scenario->inputs, k), &inputs[k]);
        }
    }
    ranking_release(&o->ranking);
}

static void put_all(struct observed *o, struct ranking *inputs, size_t count)
{
    for (o->strategy = 0; o->strategy < o->run->results.strategies; o->strategy++) {
        for (size_t m = 0; m < sizeof metrics / sizeof metrics[0]; m++) {
            o->metric = metrics[m];
            put_metric(o, inputs, count);
        }
    }
}

struct table *sensitivity_table(const struct run *run)
{
    struct result_rows rows;
    struct drawn_inputs drawn;
    rows_begin(&rows, "sensitivity", run->study->scenario->currency);
    const size_t n = run->results.replications;
    bool ok = drawn_inputs_init(&drawn, run);
    struct ranking *inputs = calloc(drawn.count + 1, sizeof *inputs);
    struct observed o = {.rows = &rows,
                         .run = run,
                         .n = n,
                         .values = calloc(n + 1, sizeof *o.values),
                         .part = calloc(n + 1, sizeof *o.part),
                         .censored = calloc(n + 1, sizeof *o.censored)};
    ok = ok && inputs != NULL && o.values != NULL && o.part != NULL && o.censored != NULL;
    for (size_t k = 0; ok && k < drawn.count; k++) {
        ok = ranking_init(&inputs[k], drawn_input(&drawn, k), NULL, n);
    }
    if (!ok) {
        rows_fail(&rows);
    } else if (drawn.count > 0) {
        put_all(&o, inputs, drawn.count);
    }
    for (size_t k = 0; inputs != NULL && k < drawn.count; k++) {
        ranking_release(&inputs[k]);
    }
    free(inputs);
    free(o.values);
    free(o.part);
    free(o.censored);
    drawn_inputs_release(&drawn);
    return rows_end(&rows);
}
