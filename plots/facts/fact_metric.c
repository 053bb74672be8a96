/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/fact_metric.h"

#include "plots/facts/table_columns.h"

#include <math.h>

/* Bounds at most this far apart, as a share of the lower one, are as good as a value. */
#define NEAR_MAX 0.01

enum {
    N,
    CENSORED,
    MEAN,
    MIN,
    P5,
    P10,
    P25,
    P50,
    P75,
    P90,
    P95,
    MAX,
    P50_LOW,
    P50_HIGH,
    P90_LOW,
    P90_HIGH,
    P50_LEAST,
    P90_LEAST,
    NEEDED, /* what follows may be absent */
    P50_MOST = NEEDED,
    P90_MOST,
    COLUMNS
};
static const char *const names[FACT_METRIC_COLUMNS] = {
    "n",       "censored", "mean",         "min",          "p5",          "p10",        "p25",
    "p50",     "p75",      "p90",          "p95",          "max",         "p50_low",    "p50_high",
    "p90_low", "p90_high", "p50_at_least", "p90_at_least", "p50_at_most", "p90_at_most"};
_Static_assert(COLUMNS == FACT_METRIC_COLUMNS, "one index a column");

const struct fact_metric fact_metric_unknown = {.n = 0.0,
                                                .mean = NAN,
                                                .min = NAN,
                                                .max = NAN,
                                                .p5 = NAN,
                                                .p95 = NAN,
                                                .p10 = {NAN, NAN, NAN, NAN, NAN},
                                                .p25 = {NAN, NAN, NAN, NAN, NAN},
                                                .p50 = {NAN, NAN, NAN, NAN, NAN},
                                                .p75 = {NAN, NAN, NAN, NAN, NAN},
                                                .p90 = {NAN, NAN, NAN, NAN, NAN}};

const struct fact_chance fact_chance_unknown = {NAN, NAN, 0.0};

bool fact_metric_find(struct fact_metric_columns *c, const struct table *t, struct diagnostics *d)
{
    return table_columns_found(c->of, t, names, NEEDED, COLUMNS, d);
}

/* A number of worlds. */
static double count(const struct table *t, size_t row, int column)
{
    const double x = table_known(t, row, column);

    return isfinite(x) ? x : 0.0;
}

struct fact_metric fact_metric_read(const struct table *t, size_t row,
                                    const struct fact_metric_columns *c)
{
    struct fact_metric m = fact_metric_unknown;
#define NUMBER(column) table_known(t, row, c->of[column])
    m.present = true;
    m.n = count(t, row, c->of[N]);
    m.censored = count(t, row, c->of[CENSORED]);
    m.mean = NUMBER(MEAN);
    m.min = NUMBER(MIN);
    m.max = NUMBER(MAX);
    m.p5 = NUMBER(P5);
    m.p95 = NUMBER(P95);
    m.p10.value = NUMBER(P10);
    m.p25.value = NUMBER(P25);
    m.p75.value = NUMBER(P75);
    m.p50 = (struct fact_quantile){NUMBER(P50), NUMBER(P50_LEAST), NUMBER(P50_MOST),
                                   NUMBER(P50_LOW), NUMBER(P50_HIGH)};
    m.p90 = (struct fact_quantile){NUMBER(P90), NUMBER(P90_LEAST), NUMBER(P90_MOST),
                                   NUMBER(P90_LOW), NUMBER(P90_HIGH)};
#undef NUMBER
    return m;
}

struct fact_chance fact_chance_of(const struct fact_metric *m)
{
    double open = m->n > 0.0 ? m->censored / m->n : 0.0;

    return (struct fact_chance){m->mean, fmin(1.0, m->mean + open), m->n};
}

double facts_near(const struct fact_quantile *q)
{
    if (isfinite(q->value))
        return q->value;
    /* False with NaN. */
    return q->at_most - q->at_least <= NEAR_MAX * fabs(q->at_least) ? q->at_most : (double)NAN;
}

bool facts_certain(const struct fact_metric *m)
{
    return m->present && m->censored == 0.0 && m->min == m->max;
}
