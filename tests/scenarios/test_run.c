/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs that do not go through: interrupted ones keep their complete prefix, impossible ones say in
 * which world. */
#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENARIO                                                                                   \
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\n"                             \
    "workloads: {job: {kind: training, hours: 8..12h, checkpoint: {every: auto}}}\n"               \
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 60..90 %}}}\n"                     \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  b: {instance: p3.2xlarge, nodes: 2, buy: spot}\n"

static void interrupt_after_600(void *context, uint32_t done, uint32_t total)
{
    (void)total;
    if (done >= 600) {
        atomic_store((atomic_bool *)context, true);
    }
}

static void an_interrupted_run_is_a_prefix(void **state)
{
    (void)state;
    static const char *const many[] = {"replications=500000", NULL};
    static const char *const few[] = {"replications=500", NULL};
    struct study *s = study_from_text(SCENARIO, many), *t = study_from_text(SCENARIO, few);
    struct diagnostics *d = diagnostics_new();
    struct run cut, whole;
    atomic_bool interrupted = false;
    const struct run_options options = {.jobs = 2,
                                        .interrupted = &interrupted,
                                        .progress = interrupt_after_600,
                                        .progress_context = &interrupted};
    assert_true(run_study(&cut, s, &options, d));
    assert_false(diagnostics_failed(d));
    uint32_t n = cut.results.replications;
    assert_true(cut.partial);
    assert_true(n >= 600 && n < 500000);
    assert_true(cut.precise);
    uint32_t tenth = n / 10 < 2000 ? n / 10 : 2000;
    assert_int_equal(cut.timeline.replications, tenth);
    study_run(&whole, t, 1);
    for (uint32_t i = 0; i < 500; i++) {
        for (size_t k = 0; k < 2; k++) {
            assert_memory_equal(results_cells(&cut.results, i, k, 0),
                                results_cells(&whole.results, i, k, 0),
                                2 * sizeof(struct metric_cells));
        }
    }
    /* The plan world is one of the prefix, and all tables can be made. */
    struct result_tables tables;
    assert_true(cut.plan_worlds[0] < n && cut.plan_worlds[1] < n);
    assert_true(result_tables_make(&tables, &cut));
    result_tables_release(&tables);
    run_release(&cut);
    run_release(&whole);
    diagnostics_free(d);
    study_free(s);
    study_free(t);
}

static void interrupted_at_once_is_empty_and_no_failure(void **state)
{
    (void)state;
    static const char *const sets[] = {"replications=1000", NULL};
    for (int jobs = 1; jobs <= 2; jobs++) {
        struct study *s = study_from_text(SCENARIO, sets);
        struct diagnostics *d = diagnostics_new();
        struct run run;
        struct result_tables tables;
        atomic_bool interrupted = true;
        const struct run_options options = {.jobs = jobs, .interrupted = &interrupted};
        assert_true(run_study(&run, s, &options, d));
        assert_false(diagnostics_failed(d));
        assert_true(run.partial);
        assert_int_equal(run.results.replications, 0);
        assert_int_equal(run.plan_worlds[0], UINT32_MAX);
        assert_true(result_tables_make(&tables, &run));
        assert_int_equal(table_rows(tables.summary), 0);
        result_tables_release(&tables);
        run_release(&run);
        diagnostics_free(d);
        study_free(s);
    }
}

/* The cost passes what can be counted in a few worlds of a thousand: the first of them is named, at
 * any number of threads. */
static void the_first_impossible_world_is_named(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\nreplications: 1000\n"
        "workloads: {job: {kind: training, hours: 10h}}\n"
        "market: {spot: {p3.2xlarge: {capacity: constant,\n"
        "                             price: lognormal(p50=1000 USD/h; p95=300000 USD/h)}}}\n"
        "strategies:\n"
        "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
        "  b: {instance: p3.2xlarge, nodes: 4000, buy: spot}\n";
    char first[256] = "";
    for (int jobs = 1; jobs <= 4; jobs++) {
        struct study *s = study_from_text(text, NULL);
        struct diagnostics *d = diagnostics_new();
        struct run run;
        const struct run_options options = {.jobs = jobs};
        assert_false(run_study(&run, s, &options, d));
        assert_int_equal(diagnostics_exit_code(d), 4);
        const char *what = diagnostics_text(d, 0, NULL, NULL);
        assert_non_null(strstr(what, "the cost of strategy 'b' in replication "));
        assert_non_null(strstr(what, "passes 9.2 billion USD"));
        if (jobs == 1) {
            snprintf(first, sizeof first, "%s", what);
            assert_null(strstr(what, "replication 0 "));
        }
        assert_string_equal(what, first);
        run_release(&run);
        diagnostics_free(d);
        study_free(s);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_run_is_a_prefix),
        cmocka_unit_test(interrupted_at_once_is_empty_and_no_failure),
        cmocka_unit_test(the_first_impossible_world_is_named),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
