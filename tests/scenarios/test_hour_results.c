/* SPDX-License-Identifier: GPL-3.0-or-later
 * Services hour by hour over all worlds: how worlds are put together, and service_hours.csv of
 * small scenarios. */
#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/hour_results.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-03\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

struct made {
    struct study *study;
    struct run run;
    struct result_tables tables;
};

static void make(struct made *m, const char *text, int jobs)
{
    m->study = study_from_text(text, NULL);
    study_run(&m->run, m->study, jobs);
    assert_true(result_tables_make(&m->tables, &m->run));
}

static void release(struct made *m)
{
    result_tables_release(&m->tables);
    run_release(&m->run);
    study_free(m->study);
}

static double cell(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    assert_true(c >= 0);
    return table_number(t, row, (size_t)c);
}

static const char *word(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    assert_true(c >= 0);
    return table_text(t, row, (size_t)c);
}

/* ---- over worlds ---- */

/* Worlds in which the first hour attains what is given. */
static void add_worlds(struct hour_results *r, const double *shares, size_t count)
{
    struct hour_log *log = hour_results_log(r);
    assert_non_null(log);
    for (size_t i = 0; i < count; i++) {
        const struct hour_sum sum = {.ended = 1000,
                                     .within = 1000 * shares[i],
                                     .hours = 1,
                                     .overloaded = i % 4 == 0,
                                     .judged = 1,
                                     .met = shares[i] >= 0.95};
        hour_log_clear(log);
        hour_log_put(log, 0, 0, &sum);
        hour_results_add(r, 0, log);
    }
    hour_log_free(log);
}

#define ONE                                                                                        \
    HEAD "horizon: 3h\nreplications: 1\nworkloads:\n  w: {kind: inference, boot: 0s, demand: "     \
         "1/s, service: "                                                                          \
         "{any: {time: 10ms}}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: "           \
         "on-demand}}\n"

static void shares_are_put_together(void **state)
{
    (void)state;
    struct study *study = study_from_text(ONE, NULL);
    struct hour_results r;
    double shares[200], sum = 0;
    /* Half of them near 1, where small differences count, half spread out. */
    for (size_t i = 0; i < 200; i++) {
        shares[i] = i % 2 == 0 ? 1 - 1e-4 * (double)(i + 1) / 2 : (double)i / 250;
        sum += shares[i];
    }
    assert_true(hour_results_init(&r, study));
    assert_true(r.any);
    assert_int_equal(r.buckets, 3);
    add_worlds(&r, shares, 200);
    const struct hour_cell *c = hour_results_cells(&r, 0, 0);
    assert_near(hour_cell_mean(c), sum / 200, 1e-9, "mean");
    assert_int_equal(c->worlds, 200);
    assert_int_equal(c->overloaded, 50);
    for (double p = 0.05; p < 1; p += 0.05) {
        double below[200];
        memcpy(below, shares, sizeof below);
        for (size_t i = 0; i < 200; i++) { /* sorted: it is short */
            for (size_t k = i + 1; k < 200; k++) {
                const double least = fmin(below[i], below[k]), most = fmax(below[i], below[k]);
                below[i] = least;
                below[k] = most;
            }
        }
        const double want = below[(size_t)(ceil(p * 200 - 1e-9) - 1)];
        const double near = want < 0.99 ? 1.001e-3 : 0.0126 * (1 - want);
        assert_near(hour_cell_quantile(c, p), want, near, "quantile");
    }
    assert_true(isnan(hour_cell_quantile(&c[1], 0.5)));
    assert_true(isnan(hour_cell_mean(&c[1])));
    hour_results_release(&r);
    /* One world is told as it was. */
    assert_true(hour_results_init(&r, study));
    const double one = 0.98765;
    add_worlds(&r, &one, 1);
    assert_near(hour_cell_quantile(hour_results_cells(&r, 0, 0), 0.1), one, 1e-7, "as it was");
    hour_results_release(&r);
    study_free(study);
}

static void memory_does_not_grow_with_the_horizon(void **state)
{
    (void)state;
    assert_true(hour_results_bytes(1, 400 * 3600.0) < 2.2e6);
    for (double days = 1; days < 4000; days *= 1.7) {
        assert_true(hour_results_bytes(1, days * 86400) <= hour_results_bytes(1, 400 * 3600.0));
    }
}

/* ---- as a table ---- */

/* A node of some 3.7/s; six times of the demand from 2 h to 3 h. */
#define PEAK                                                                                       \
    HEAD "horizon: 7h\nreplications: %d\nworkloads:\n  w: {kind: inference, mode: %s, demand: "    \
         "{rate: 1/s, events: [{from: 2h, for: 1h, factor: 6}]}, service: {any: {time: "           \
         "lognormal(p50=1s; p95=2s), slots: 4}}, boot: 0s, timeout: 20s, slo: %s}\n"               \
         "strategies:\n  s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}\n"

static void peak(struct made *m, int replications, const char *mode, const char *slo, int jobs)
{
    char text[1200];
    int size = snprintf(text, sizeof text, PEAK, replications, mode, slo);
    assert_true(size > 0 && size < (int)sizeof text);
    make(m, text, jobs);
}

static void steps_tell_what_requests_tell(void **state)
{
    (void)state;
    struct made a, b;
    peak(&a, 6, "requests", "3s", 1);
    peak(&b, 6, "interval", "3s", 1);
    const struct table *t = a.tables.service_hours, *u = b.tables.service_hours;
    assert_int_equal(table_rows(t), 7 + 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(word(t, i, "by"), "horizon");
        assert_near(cell(t, i, "start_s"), 3600.0 * (double)i, 0, "start");
        assert_near(cell(t, i, "slo_attained_mean_frac"), cell(u, i, "slo_attained_mean_frac"),
                    i == 3   ? 0.04
                    : i == 2 ? 0.01
                             : 3e-3,
                    "attained");
        assert_near(cell(t, i, "overloaded_frac"), i == 2, 0, "overloaded");
        assert_near(cell(u, i, "overloaded_frac"), i == 2, 0, "overloaded, in steps");
        if (i != 3) { /* whether the hour after the peak met it is a close thing */
            assert_near(cell(t, i, "slo_met_frac"), i != 2, 0, "met");
            assert_near(cell(u, i, "slo_met_frac"), i != 2, 0, "met, in steps");
        }
        assert_near(cell(t, i, "hours"), 6, 0, "hours");
    }
    /* Tuesday. */
    assert_near(cell(t, 7, "hour_of_week"), 24, 0, "hour of the week");
    assert_near(cell(t, 9, "slo_attained_mean_frac"), cell(t, 2, "slo_attained_mean_frac"), 1e-9,
                "the same hour");
    double sum = 0;
    for (uint32_t r = 0; r < 6; r++) {
        const struct metric_cells *c = results_cells(&a.run.results, r, 0, 0);
        const double met = 7 * metric_number(c, METRIC_SLO_HOURS);
        assert_true(met > 5 - 1e-9 && met < 6 + 1e-9);
        sum += met;
        assert_near(metric_number(c, METRIC_OVERLOADED), 1, 1e-9, "overloaded hours");
    }
    assert_near(sum / 6, 5 + cell(t, 3, "slo_met_frac"), 1e-9, "hours that met it");
    release(&a);
    release(&b);
}

/* Hour by hour it is the share of the whole, as all requests end. */
static void hours_make_the_whole(void **state)
{
    struct made m;
    peak(&m, 1, *state, "3s", 1);
    const struct table *t = m.tables.service_hours;
    double within = 0, ended = 0;
    for (size_t i = 0; i < 7; i++) {
        within += cell(t, i, "slo_attained_mean_frac") * cell(t, i, "ended_per_hour_mean");
        ended += cell(t, i, "ended_per_hour_mean");
    }
    const struct metric_cells *c = results_cells(&m.run.results, 0, 0, 0);
    assert_near(ended, metric_number(c, METRIC_REQUESTS) - metric_number(c, METRIC_REQUESTS_LEFT),
                strcmp(*state, "interval") == 0 ? 4 : 0.05, "requests");
    assert_near(within / metric_number(c, METRIC_REQUESTS), metric_number(c, METRIC_SLO_ATTAINED),
                1e-3, "share");
    release(&m);
}

static void same_for_any_number_of_threads(void **state)
{
    (void)state;
    struct made a, b;
    peak(&a, 3, "requests", "{latency: 2s..4s, share: 90 %}", 1);
    peak(&b, 3, "requests", "{latency: 2s..4s, share: 90 %}", 2);
    const struct table *t = a.tables.service_hours, *u = b.tables.service_hours;
    assert_int_equal(table_rows(t), table_rows(u));
    double spread = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        for (size_t k = 6; k < table_columns(t); k++) {
            const double x = table_number(t, i, k), y = table_number(u, i, k);
            assert_true(x == y || (isnan(x) && isnan(y)));
        }
        spread += cell(t, i, "slo_attained_p90_frac") - cell(t, i, "slo_attained_p10_frac");
    }
    assert_true(spread > 0.1); /* the objective is uncertain */
    release(&a);
    release(&b);
}

static void nothing_without_an_objective_but_overload(void **state)
{
    (void)state;
    struct made m;
    make(&m, ONE, 1);
    const struct table *t = m.tables.service_hours;
    assert_int_equal(table_rows(t), 6);
    assert_true(isnan(cell(t, 0, "slo_attained_mean_frac")));
    assert_true(isnan(cell(t, 0, "slo_met_frac")));
    assert_near(cell(t, 0, "overloaded_frac"), 0, 0, "calm");
    assert_near(cell(t, 0, "ended_per_hour_mean"), 3600, 400, "requests");
    release(&m);
}

/* A node that boots for six minutes, though requests come. What is before measure_from is not
 * measured: in no table an hour of overload, as in no metric. */
static void the_start_is_not_measured(void **state)
{
    static const char text[] =
        HEAD "horizon: 4h\nreplications: 2\nworkloads:\n  w: {kind: inference, mode: %s, "
             "measure_from: %s, demand: 1/s, service: {any: {time: exponential(1s), slots: 4}}, "
             "boot: 6min, slo: 9s}\n"
             "strategies:\n  s: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}\n";
    for (int measured = 0; measured < 2; measured++) {
        struct made m;
        char whole[sizeof text + 64];
        snprintf(whole, sizeof whole, text, (const char *)*state, measured ? "0s" : "10min");
        make(&m, whole, 1);
        const struct table *t = m.tables.service_hours, *s = m.tables.services;
        const struct metric_cells *c = results_cells(&m.run.results, 0, 0, 0);
        double marked_s = 0;
        assert_int_equal(table_rows(t), measured ? 8 : 6);
        assert_near(cell(t, 0, "start_s"), measured ? 0 : 3600, 0, "the first hour");
        assert_near(cell(t, 0, "overloaded_frac"), measured, 0, "overloaded worlds");
        assert_near(metric_number(c, METRIC_OVERLOADED), measured, 1e-9, "overloaded hours");
        for (size_t i = 0; i < table_rows(s); i++) {
            const double marked = cell(s, i, "overloaded"), from_s = cell(s, i, "start_s");
            assert_int_equal(isnan(marked), !measured && from_s < 600);
            assert_true(cell(s, i, "arrived") > 0); /* what came is told all the same */
            marked_s += marked > 0 ? cell(s, i, "end_s") - from_s : 0;
        }
        assert_true(measured ? marked_s >= 300 && marked_s <= 900 : marked_s == 0);
        release(&m);
    }
}

int main(void)
{
    static char requests[] = "requests", interval[] = "interval";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_put_together),
        cmocka_unit_test(memory_does_not_grow_with_the_horizon),
        cmocka_unit_test(steps_tell_what_requests_tell),
        cmocka_unit_test_prestate(hours_make_the_whole, requests),
        cmocka_unit_test_prestate(hours_make_the_whole, interval),
        cmocka_unit_test(same_for_any_number_of_threads),
        cmocka_unit_test_prestate(the_start_is_not_measured, requests),
        cmocka_unit_test_prestate(the_start_is_not_measured, interval),
        cmocka_unit_test(nothing_without_an_objective_but_overload),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
