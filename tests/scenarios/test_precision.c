/* SPDX-License-Identifier: GPL-3.0-or-later
 * When a run that is to be precise stops, and which targets it accepts. */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "scenarios/study/precision.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENARIO(region, type, more)                                                               \
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: " region "\nprecision: 2 %\n" more       \
    "workloads: {job: {kind: training, hours: 8..12h}}\n"                                          \
    "strategies:\n"                                                                                \
    "  one: {instance: " type ", nodes: 1, buy: on-demand}\n"                                      \
    "  two: {instance: " type ", nodes: 2, buy: on-demand}\n"

struct target_case {
    const char *of; /* NULL: absent */
    enum metric metric;
    double quantile;
    const char *refused; /* part of the message; NULL: accepted */
};

static const struct target_case cases[] = {
    {NULL, METRIC_COST, 0.9, NULL},
    {"cost_usd.p90", METRIC_COST, 0.9, NULL},
    {"cost_usd.p99.5", METRIC_COST, 0.995, NULL},
    {"time_to_train_h.p50", METRIC_TIME_TO_TRAIN, 0.5, NULL},
    {"useful_node_h.p05", METRIC_USEFUL, 0.05, NULL},
    {"spot_cost_usd.p1", METRIC_SPOT_COST, 0.01, NULL},
    {"cost_cny.p90", 0, 0, "is not a metric and its quantile; expected such as 'cost_usd.p90'"},
    {"cost.p90", 0, 0, "is not a metric"},
    {"cost_usd", 0, 0, "is not a metric"},
    {"cost_usd.90", 0, 0, "is not a metric"},
    {"cost_usd.p", 0, 0, "is not a metric"},
    {"cost_usd.p0", 0, 0, "is not a metric"},
    {"cost_usd.p100", 0, 0, "is not a metric"},
    {"cost_usd.p-5", 0, 0, "is not a metric"},
    {"cost_usd.p9e1", 0, 0, "is not a metric"},
    {"cost_usd.p0x5a", 0, 0, "is not a metric"},
    {"cost_usd.pnan", 0, 0, "is not a metric"},
    {"'cost_usd.p 90'", 0, 0, "is not a metric"},
    {"cost_usd.p9.0.1", 0, 0, "is not a metric"},
    {"cost_usd.p.5", 0, 0, "is not a metric"},
    {"cost_usd.p5.", 0, 0, "is not a metric"},
    {"cost_usd.mean", 0, 0, "is not a metric"},
    {"late.p50", 0, 0, "'late' is yes or no in each world and has no quantiles"},
    {"over_budget.p90", 0, 0, "'over_budget' is yes or no"},
    {"finished.p90", 0, 0, "'finished' is yes or no"},
};

static void target(void **state)
{
    const struct target_case *c = *state;
    char set[128] = "precision_of=";
    snprintf(set, sizeof set, "precision_of=%s", c->of == NULL ? "null" : c->of);
    const char *const sets[] = {set, NULL};
    struct study *s = study_from_text(SCENARIO("us-east-1", "p3.2xlarge", ""), sets);
    struct diagnostics *d = diagnostics_new();
    struct precision_target t = {0};
    bool ok = precision_target_from(&t, s, d);
    if (c->refused == NULL) {
        assert_true(ok);
        assert_false(diagnostics_failed(d));
        assert_int_equal(t.metric, c->metric);
        assert_near(t.quantile, c->quantile, 1e-15, "quantile");
        assert_near(t.share, 0.02, 1e-15, "share");
    } else {
        assert_false(ok);
        assert_int_equal(diagnostics_exit_code(d), 2);
        struct place where;
        assert_non_null(strstr(diagnostics_text(d, 0, NULL, &where), c->refused));
        assert_non_null(strstr(where.file, "--set precision_of="));
        /* And the run refuses it in the same words, without having run. */
        struct run run;
        struct diagnostics *e = diagnostics_new();
        const struct run_options options = {.jobs = 1};
        assert_false(run_study(&run, s, &options, e));
        assert_string_equal(diagnostics_text(e, 0, NULL, NULL), diagnostics_text(d, 0, NULL, NULL));
        run_release(&run);
        diagnostics_free(e);
    }
    diagnostics_free(d);
    study_free(s);
}

static void the_default_is_in_the_currency_of_the_region(void **state)
{
    (void)state;
    struct study *s = study_from_text(SCENARIO("cn-north-1", "p3.2xlarge", ""), NULL);
    struct diagnostics *d = diagnostics_new();
    struct precision_target t = {0};
    assert_true(precision_target_from(&t, s, d));
    assert_int_equal(t.metric, METRIC_COST);
    s->scenario->precision_of = NULL; /* what a caller that gives none would have */
    assert_true(precision_target_from(&t, s, d));
    assert_int_equal(t.metric, METRIC_COST);
    assert_near(t.quantile, 0.9, 0, "P90");
    diagnostics_free(d);
    study_free(s);
}

/* The worst over the strategies, each the half width of its interval over its value. */
static void worst_is_of_all_strategies(void **state)
{
    (void)state;
    struct study *s = study_from_text(SCENARIO("us-east-1", "p3.2xlarge", ""), NULL);
    struct run run;
    study_run(&run, s, 2);
    assert_true(run.precise);
    assert_true(run.precision_reached > 0 && run.precision_reached <= 0.02);
    uint32_t n = run.results.replications;
    assert_true(n == 500 || n == 1000 || n == 2000 || n == 4000);
    double worst = 0;
    double *values = malloc(n * sizeof *values);
    for (size_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < n; i++) {
            values[i] = run_value(&run, k, i, METRIC_COST);
        }
        struct sample *sample = sample_new(values, NULL, n);
        struct quantile q = sample_quantile(sample, 0.9, 0.95);
        worst = fmax(worst, (q.high - q.low) / 2 / q.value);
        sample_free(sample);
    }
    assert_near(run.precision_reached, worst, 1e-15, "worst half width");
    /* Half as many were not enough. */
    struct results half = run.results;
    struct precision_target t = {METRIC_COST, 0.9, 0.02};
    half.replications = n / 2;
    assert_true(n == 500 || precision_worst(&t, &half) > 0.02);
    half.replications = 0;
    assert_true(isinf(precision_worst(&t, &half)));
    free(values);
    run_release(&run);
    study_free(s);
}

static void gives_up_at_the_maximum_and_says_so(void **state)
{
    (void)state;
    static const char *const sets[] = {"precision=0.01 %", "max_replications=700", NULL};
    struct study *s = study_from_text(SCENARIO("us-east-1", "p3.2xlarge", ""), sets);
    struct run run;
    study_run(&run, s, 2);
    assert_int_equal(run.results.replications, 700);
    assert_false(run.precise);
    assert_true(run.precision_reached > 0.0001 && isfinite(run.precision_reached));
    assert_false(run.partial);
    run_release(&run);
    study_free(s);
}

/* Interrupted before the first batch was complete: nothing is known of the precision. */
static void an_interrupted_run_is_not_precise(void **state)
{
    (void)state;
    struct study *s = study_from_text(SCENARIO("us-east-1", "p3.2xlarge", ""), NULL);
    struct diagnostics *d = diagnostics_new();
    struct run run;
    atomic_bool interrupted = true;
    const struct run_options options = {.jobs = 2, .interrupted = &interrupted};
    assert_true(run_study(&run, s, &options, d));
    assert_true(run.partial);
    assert_false(run.precise);
    assert_int_equal(run.results.replications, 0);
    assert_true(isinf(run.precision_reached));
    run_release(&run);
    diagnostics_free(d);
    study_free(s);
}

/* A censored quantile is not known, so no number of worlds makes it precise. */
static void a_censored_quantile_is_never_precise(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.job.hours=400..600h", "max_replications=600",
                                       NULL};
    struct study *s = study_from_text(SCENARIO("us-east-1", "p3.2xlarge", ""), sets);
    struct run run;
    study_run(&run, s, 2);
    assert_int_equal(run.results.replications, 600);
    assert_false(run.precise);
    assert_true(isinf(run.precision_reached));
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    enum { CASES = sizeof cases / sizeof cases[0], OTHERS = 5 };
    struct CMUnitTest tests[CASES + OTHERS] = {
        cmocka_unit_test(the_default_is_in_the_currency_of_the_region),
        cmocka_unit_test(worst_is_of_all_strategies),
        cmocka_unit_test(gives_up_at_the_maximum_and_says_so),
        cmocka_unit_test(an_interrupted_run_is_not_precise),
        cmocka_unit_test(a_censored_quantile_is_never_precise),
    };
    for (size_t i = 0; i < CASES; i++) {
        tests[OTHERS + i] = (struct CMUnitTest){.name = cases[i].of == NULL ? "none" : cases[i].of,
                                                .test_func = target,
                                                .initial_state = (void *)(uintptr_t)&cases[i]};
    }
    return _cmocka_run_group_tests("precision", tests, CASES + OTHERS, NULL, NULL);
}
