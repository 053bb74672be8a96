/* SPDX-License-Identifier: GPL-3.0-or-later
 * Worlds run into results: the same as those of a run, whatever runs beside them, and in whatever
 * pieces. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "scenarios/study/world_runs.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

#define SCENARIO                                                                                   \
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\nreplications: 60\n"           \
    "workloads: {job: {kind: training, hours: 8..12h, checkpoint: {every: auto}}}\n"               \
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 60..90 %}}}\n"                     \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  b: {instance: p3.2xlarge, nodes: 2, buy: spot}\n"                                           \
    "  c: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"                                    \
    "      commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y,\n" \
    "                     payment: no-upfront}]}\n"

enum { STRATEGIES = 3, WORLDS = 60 };

static struct study *make_study(void)
{
    return study_from_text(SCENARIO, NULL);
}

static void run_worlds(struct results *r, const struct study *s, const struct world_request *q,
                       int jobs)
{
    struct diagnostics *d = diagnostics_new();
    const struct run_options options = {.jobs = jobs};
    uint32_t complete = 0;
    assert_true(world_runs(r, s, q, &options, &complete, d));
    assert_false(diagnostics_failed(d));
    assert_int_equal(complete, q->count);
    assert_int_equal(r->replications, q->from + q->count);
    diagnostics_free(d);
}

static void assert_same(const struct results *a, uint32_t slot_a, const struct results *b,
                        uint32_t slot_b, size_t strategy)
{
    assert_memory_equal(results_cells(a, slot_a, strategy, 0),
                        results_cells(b, slot_b, strategy, 0), 2 * sizeof(struct metric_cells));
    assert_memory_equal(results_months(a, slot_a, strategy), results_months(b, slot_b, strategy),
                        a->months * sizeof(money_t));
}

static void they_are_those_of_a_run(void **state)
{
    (void)state;
    struct study *s = make_study();
    struct run run;
    struct results r;
    study_run(&run, s, 1);
    for (int jobs = 1; jobs <= 2; jobs++) {
        assert_true(world_results_init(&r, s, WORLDS));
        run_worlds(&r, s, &(struct world_request){.count = WORLDS}, jobs);
        for (uint32_t i = 0; i < WORLDS; i++) {
            for (size_t k = 0; k < STRATEGIES; k++) {
                assert_same(&r, i, &run.results, i, k);
            }
        }
        assert_memory_equal(r.accounts, run.results.accounts,
                            WORLDS * r.account_start[STRATEGIES] * sizeof *r.accounts);
        results_release(&r);
    }
    run_release(&run);
    study_free(s);
}

/* The last 20 of 60 worlds, begun at another slot, in two pieces, under one strategy alone. */
static void in_pieces_and_alone_they_are_the_same(void **state)
{
    (void)state;
    const bool only_b[STRATEGIES] = {false, true, false};
    struct study *s = make_study();
    struct results whole, part;
    assert_true(world_results_init(&whole, s, WORLDS));
    assert_true(world_results_init(&part, s, 20));
    run_worlds(&whole, s, &(struct world_request){.count = WORLDS}, 1);
    run_worlds(&part, s, &(struct world_request){.first = 40, .count = 5, .strategies = only_b}, 1);
    run_worlds(&part, s,
               &(struct world_request){.first = 40, .from = 5, .count = 15, .strategies = only_b},
               2);
    const struct metric_cells none = {0};
    for (uint32_t i = 0; i < 20; i++) {
        assert_same(&part, i, &whole, 40 + i, 1);
        assert_memory_equal(results_cells(&part, i, 0, 0), &none, sizeof none);
    }
    results_release(&whole);
    results_release(&part);
    study_free(s);
}

/* Worlds for judging are none of the run's own, nor those of a search or a fit. */
static void purposes_share_no_world(void **state)
{
    (void)state;
    static const uint32_t firsts[] = {0, RANDOM_FIRST_FIT, RANDOM_FIRST_SEARCH, RANDOM_FIRST_JUDGE};
    enum { PURPOSES = 4, FEW = 10 };
    struct study *s = make_study();
    struct results r[PURPOSES];
    for (size_t p = 0; p < PURPOSES; p++) {
        assert_true(world_results_init(&r[p], s, FEW));
        run_worlds(&r[p], s, &(struct world_request){.first = firsts[p], .count = FEW}, 1);
    }
    for (size_t p = 0; p < PURPOSES; p++) {
        for (size_t q = 0; q < p; q++) {
            for (uint32_t i = 0; i < FEW * FEW; i++) {
                double a = metric_number(results_cells(&r[p], i / FEW, 0, 1), METRIC_TIME_TO_TRAIN);
                double b = metric_number(results_cells(&r[q], i % FEW, 0, 1), METRIC_TIME_TO_TRAIN);
                assert_true(a < b || a > b);
            }
        }
    }
    for (size_t p = 0; p < PURPOSES; p++) {
        results_release(&r[p]);
    }
    study_free(s);
}

static void an_interrupted_call_is_no_failure(void **state)
{
    (void)state;
    struct study *s = make_study();
    struct diagnostics *d = diagnostics_new();
    struct results r;
    atomic_bool interrupted = true;
    const struct run_options options = {.jobs = 2, .interrupted = &interrupted};
    uint32_t complete = 99;
    assert_true(world_results_init(&r, s, WORLDS));
    assert_true(
        world_runs(&r, s, &(struct world_request){.count = WORLDS}, &options, &complete, d));
    assert_false(diagnostics_failed(d));
    assert_int_equal(complete, 0);
    assert_int_equal(r.replications, 0);
    results_release(&r);
    diagnostics_free(d);
    study_free(s);
}

static void an_impossible_world_is_named_by_its_id(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\n"
        "workloads: {job: {kind: training, hours: 10h}}\n"
        "market: {spot: {p3.2xlarge: {capacity: constant, price: 1000000 USD/h}}}\n"
        "strategies:\n"
        "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
        "  b: {instance: p3.2xlarge, nodes: 4000, buy: spot}\n";
    const bool only_a[] = {true, false};
    struct study *s = study_from_text(text, NULL);
    struct diagnostics *d = diagnostics_new();
    struct results r;
    const struct run_options options = {.jobs = 2};
    struct world_request q = {.first = RANDOM_FIRST_JUDGE, .count = 10};
    uint32_t complete;
    assert_true(world_results_init(&r, s, 10));
    assert_false(world_runs(&r, s, &q, &options, &complete, d));
    assert_int_equal(diagnostics_exit_code(d), 4);
    assert_non_null(strstr(diagnostics_text(d, 0, NULL, NULL),
                           "the cost of strategy 'b' in replication 3221225472 "));
    diagnostics_free(d);
    /* What does not run cannot fail. */
    q.strategies = only_a;
    run_worlds(&r, s, &q, 1);
    results_release(&r);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_those_of_a_run),
        cmocka_unit_test(in_pieces_and_alone_they_are_the_same),
        cmocka_unit_test(purposes_share_no_world),
        cmocka_unit_test(an_interrupted_call_is_no_failure),
        cmocka_unit_test(an_impossible_world_is_named_by_its_id),
    };
    return cmocka_run_group_tests_name("world_runs", tests, NULL, NULL);
}
