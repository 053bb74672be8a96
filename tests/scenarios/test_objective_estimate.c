/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values of objectives from worlds, as summary.csv has them, and what unfinished work leaves
 * unknown. */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "scenarios/output/summary_table.h"
#include "scenarios/study/objective_estimate.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct objective_names any = {"USD", NULL, 0};

static struct objective objective(const char *text)
{
    struct objective o;
    char message[256] = "";
    if (!objective_parse(text, strlen(text), &any, &o, message, sizeof message)) {
        fail_msg("%s", message);
    }
    return o;
}

static struct estimate estimate(const char *text, const double *values,
                                const unsigned char *censored, size_t n)
{
    const struct objective o = objective(text);
    struct estimate e;
    assert_true(objective_estimate_from(&o, values, censored, n, 0.95, &e));
    return e;
}

/* 1 … 10: mean 5.5, variance 55/6; t of 9 degrees, 97.5 %: 2.262157 (any table). */
static void means_have_students_interval(void **state)
{
    (void)state;
    double x[10];
    unsigned char none[10] = {0};
    for (int i = 0; i < 10; i++) {
        x[i] = i + 1;
    }
    struct estimate e = estimate("cost_usd", x, none, 10);
    assert_true(e.known);
    assert_near(e.value, 5.5, 1e-12, "mean");
    assert_near(e.high - e.value, 2.262157 * sqrt(55.0 / 60), 1e-5, "half width");
    assert_near(e.low + e.high, 11, 1e-9, "middle");
    assert_near(estimate("cost_usd.min", x, none, 10).value, 1, 0, "min");
    assert_near(estimate("cost_usd.max", x, none, 10).value, 10, 0, "max");
    assert_near(estimate("cost_usd.p90", x, none, 10).value, 9, 0, "P90");
    /* A world without the metric does not count. */
    x[9] = (double)NAN;
    e = estimate("cost_usd", x, none, 10);
    assert_int_equal(e.n, 9);
    assert_near(e.value, 5, 1e-12, "mean");
}

static void cut_off_work_leaves_bounds(void **state)
{
    (void)state;
    double x[10];
    unsigned char cut[10] = {0};
    for (int i = 0; i < 10; i++) {
        x[i] = i + 1;
    }
    cut[4] = 1; /* 5, or more */
    struct estimate e = estimate("cost_usd.mean", x, cut, 10);
    assert_false(e.known);
    assert_true(isnan(e.value));
    assert_near(e.at_least, 5.5, 1e-12, "at least");
    assert_true(isinf(e.at_most) && isinf(e.high));
    /* The fourth is 4 in any case, the fifth 5 or 6, the largest 10 or more. */
    assert_near(estimate("cost_usd.p40", x, cut, 10).value, 4, 0, "P40");
    e = estimate("cost_usd.p50", x, cut, 10);
    assert_false(e.known);
    assert_near(e.at_least, 5, 0, "at least");
    assert_near(e.at_most, 6, 0, "at most");
    e = estimate("cost_usd.max", x, cut, 10);
    assert_false(e.known);
    assert_near(e.at_least, 10, 0, "at least");
    assert_true(isinf(e.at_most));
    assert_near(estimate("cost_usd.min", x, cut, 10).value, 1, 0, "min");
    e = estimate("cost_usd.p50", x, cut, 0);
    assert_int_equal(e.n, 0);
    assert_false(e.known);
}

/* Wilson's interval of 2 in 10 is 5.7 to 51.0 % (Brown, Cai & DasGupta 2001, eq. 4). */
static void chances_may_be_open(void **state)
{
    (void)state;
    double x[10] = {1, 1};
    unsigned char cut[10] = {0};
    struct estimate e = estimate("p_over_budget", x, cut, 10);
    assert_near(e.value, 0.2, 1e-15, "chance");
    assert_near(e.low, 0.0567, 1e-4, "low");
    assert_near(e.high, 0.5098, 1e-4, "high");
    cut[9] = cut[8] = cut[7] = 1;
    e = estimate("p_over_budget", x, cut, 10);
    assert_false(e.known);
    assert_near(e.at_least, 0.2, 1e-15, "at least");
    assert_near(e.at_most, 0.5, 1e-15, "at most");
    assert_near(e.low, 0.0567, 1e-4, "low");
    double low, high;
    share_interval(5, 10, 0.95, &low, &high);
    assert_near(e.high, high, 1e-12, "high");
}

#define SCENARIO                                                                                   \
    "version: 1\nstart: 2026-01-30\nhorizon: 60h\nregion: us-east-1\nreplications: 300\n"          \
    "budget: 170 USD\n"                                                                            \
    "workloads:\n"                                                                                 \
    "  job: {kind: training, hours: 12..24h, checkpoint: {every: 1h}, deadline: 30h}\n"            \
    "  other: {kind: usage, nodes: [1]}\n"                                                         \
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 50..70 %}}}\n"                     \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  b: {instance: p3.2xlarge, nodes: 1, buy: spot}\n"

static double cell(const struct table *t, const char *strategy, const char *workload,
                   const char *metric, const char *column)
{
    for (size_t i = 0; i < table_rows(t); i++) {
        if (strcmp(table_text(t, i, (size_t)table_find(t, "strategy")), strategy) == 0 &&
            strcmp(table_text(t, i, (size_t)table_find(t, "workload")), workload) == 0 &&
            strcmp(table_text(t, i, (size_t)table_find(t, "metric")), metric) == 0) {
            return table_number(t, i, (size_t)table_find(t, column));
        }
    }
    fail_msg("no row of %s", metric);
    return 0;
}

static void assert_same(double a, double b, const char *what)
{
    assert_int_equal(isnan(a), isnan(b));
    if (!isnan(a)) {
        assert_near(a, b, 1e-9 * fabs(b), what);
    }
}

/* What is said of a run is what its summary.csv says: known or not, the value and its interval. */
static void worlds_and_summary_agree(void **state)
{
    (void)state;
    static const struct {
        const char *text, *workload, *metric, *value, *low, *high;
    } cases[] = {
        {"cost_usd.p80", "all", "cost_usd", "p80", "p80_low", "p80_high"},
        {"cost_usd", "all", "cost_usd", "mean", NULL, NULL},
        {"cost_usd.p10", "all", "cost_usd", "p10", NULL, NULL},
        {"cost_usd.min", "all", "cost_usd", "min", NULL, NULL},
        {"cost_usd.max", "all", "cost_usd", "max", NULL, NULL},
        {"job:cost_usd.mean", "job", "cost_usd", "mean", NULL, NULL},
        {"spot_cost_usd.p95", "all", "spot_cost_usd", "p95", "p95_low", "p95_high"},
        {"job:interruptions.p99", "job", "interruptions", "p99", NULL, NULL},
        {"job:goodput_frac.p5", "job", "goodput_frac", "p5", NULL, NULL},
        {"p_over_budget", "all", "over_budget", "mean", NULL, NULL},
    };
    struct study *s = study_from_text(SCENARIO, NULL);
    struct run run;
    study_run(&run, s, 2);
    struct table *summary = summary_table(&run);
    const char *const workloads[] = {study_workload_name(s, 0), study_workload_name(s, 1)};
    const struct objective_names names = {"USD", workloads, 2};
    size_t unknown = 0;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const size_t of = i / 2, k = i % 2;
        const char *strategy = study_strategy_name(s, k), *text = cases[of].text;
        const char *workload = cases[of].workload, *metric = cases[of].metric;
        struct objective o;
        char message[256];
        struct estimate e;
        assert_true(objective_parse(text, strlen(text), &names, &o, message, sizeof message));
        assert_true(objective_estimate(&o, &run.results, k, 0.95, &e));
        if (metric_table[o.metric].kind == METRIC_YES_NO) { /* the table has the least it can be */
            assert_same(cell(summary, strategy, workload, metric, "mean"), e.at_least, text);
            continue;
        }
        assert_same(cell(summary, strategy, workload, metric, cases[of].value), e.value, text);
        if (cases[of].low != NULL && e.known) {
            assert_same(cell(summary, strategy, workload, metric, cases[of].low), e.low, text);
            assert_same(cell(summary, strategy, workload, metric, cases[of].high),
                        isinf(e.high) ? (double)NAN : e.high, text);
        }
        unknown += !e.known;
    }
    assert_in_range(unknown, 1, 10);
    table_free(summary);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_have_students_interval),
        cmocka_unit_test(cut_off_work_leaves_bounds),
        cmocka_unit_test(chances_may_be_open),
        cmocka_unit_test(worlds_and_summary_agree),
    };
    return cmocka_run_group_tests_name("objective_estimate", tests, NULL, NULL);
}
