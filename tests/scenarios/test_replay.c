/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces replayed from scenario files: a job's hours and dollars worked out by hand, the common
 * clock of several zones, the end of a trace, and every error. */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"

/* Up for 2 h, down for 1 h, up for 5 h at another price, nothing known for 2 h, up to the end of
 * the day. In zone b the other way round, up to the end. */
static const char table[] = HEADER "us-east-1a,p3.2xlarge,2026-01-01T00:00:00Z,600,0,1,0.918,\n"
                                   "us-east-1a,p3.2xlarge,,,7200,0,,\n"
                                   "us-east-1a,p3.2xlarge,,,10800,1,1.5,\n"
                                   "us-east-1a,p3.2xlarge,,,28800,,,hole\n"
                                   "us-east-1a,p3.2xlarge,,,36000,1,0.918,\n"
                                   "us-east-1a,p3.2xlarge,,,86400,,,end\n"
                                   "us-east-1b,p3.2xlarge,2026-01-01T00:00:00Z,600,0,0,,\n"
                                   "us-east-1b,p3.2xlarge,,,7200,4,,\n"
                                   "us-east-1b,p3.2xlarge,,,10800,0,,\n"
                                   "us-east-1b,p3.2xlarge,,,28800,2,,\n"
                                   "us-east-1b,p3.2xlarge,,,36000,0,,\n"
                                   "us-east-1b,p3.2xlarge,,,86400,,,end\n";

static char scenario[4000];

static const char *with(const char *folder, const char *trace, const char *rest,
                        const char *strategy)
{
    snprintf(scenario, sizeof scenario,
             "version: 1\nregion: us-east-1\nreplications: 200\nstart: 2026-03-02\nhorizon: 4d\n"
             "market: {spot: {p3.2xlarge: {trace: {file: %s/t.csv%s}, notice: 0s,\n"
             "  first_hour_free: no%s}}, on-demand: {p3.2xlarge: {price: 3.06 USD/h}}}\n"
             "workloads: {job: {kind: training, hours: 6h, boot: 0s, checkpoint: continuous}}\n"
             "strategies: {one: {instance: p3.2xlarge, nodes: 1, %s}}\n",
             folder, trace, rest, strategy);
    return scenario;
}

#define SPOT "buy: spot"

static char *folder_with_table(const char *text)
{
    char *folder = program_folder_new();
    program_file(folder, "t.csv", text);
    return folder;
}

struct outcome {
    double time_h, cost, finished, interruptions, beyond_trace;
};

static struct outcome outcome_of(const char *text)
{
    struct run run;
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    struct outcome o = {run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN),
                        run_value(&run, 0, 0, METRIC_COST), run_value(&run, 0, 0, METRIC_FINISHED),
                        run_value(&run, 0, 0, METRIC_INTERRUPTIONS),
                        run_value(&run, 0, 0, METRIC_BEYOND_TRACE)};
    run_release(&run);
    study_free(s);
    return o;
}

/* 6 h of work with nothing lost, from each start: when it is done, and what it cost. */
static void a_fixed_start_replays_the_trace(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        double time_h, at_918, at_15;
        int interruptions;
    } rows[] = {
        {"0s", 7, 2, 4, 1},
        {"30min", 7, 1.5, 4.5, 1},
        {"3h", 8, 1, 5, 1},                /* the hole: 5 h, 2 h of nothing, 1 h */
        {"4h", 8, 2, 4, 1},                /* 4 h, 2 h, 2 h */
        {"2026-01-01T09:00Z", 7, 6, 0, 0}, /* an hour of the hole, then 14 h */
        {"22h", 7, 4, 2, 1},               /* 2 h, the seam, 2 h, 1 h down, 2 h */
    };
    char *folder = folder_with_table(table), trace[100];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(trace, sizeof trace, ", start: '%s'", rows[i].start);
        struct outcome o =
            outcome_of(with(folder, trace, ", capacity: replay, price_model: replay", SPOT));
        assert_near(o.time_h, rows[i].time_h, 1e-9, rows[i].start);
        assert_near(o.cost, rows[i].at_918 * 0.918 + rows[i].at_15 * 1.5, 1e-8, rows[i].start);
        assert_near(o.interruptions, rows[i].interruptions, 0, rows[i].start);
        assert_near(o.finished, 1, 0, rows[i].start);
    }
    program_folder_free(folder);
}

/* From 20 h on the trace knows 4 h more; then there is nothing, and nothing looks cheap. */
static void a_trace_that_ends_leaves_the_job_unfinished(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    const char *rest = ", price: 1 USD/h";
    struct outcome o = outcome_of(with(folder, ", start: 20h, wrap: no", rest, SPOT));
    assert_near(o.finished, 0, 0, "spot alone");
    assert_near(o.interruptions, 1, 0, "the end of the trace interrupts");
    assert_near(o.beyond_trace, 1, 0, "and that is counted");
    o = outcome_of(with(folder, ", start: 20h, wrap: yes", rest, SPOT));
    assert_near(o.finished, 1, 0, "wrapping");
    assert_near(o.time_h, 6, 1e-9, "20 h to 24 h, and 2 h of the next turn");
    assert_true(isnan(o.beyond_trace)); /* no trace ends */
    o = outcome_of(with(folder, ", start: 20h, wrap: no", rest,
                        "buy: spot, policy: {name: fallback, after: 30min}"));
    assert_near(o.finished, 1, 0, "on-demand does the rest");
    assert_near(o.cost, 4 * 1 + 2 * 3.06, 1e-8, "at its own price");
    assert_near(o.beyond_trace, 1, 0, "of which the trace knows nothing");
    o = outcome_of(with(folder, ", start: 0s, wrap: no", rest, SPOT));
    assert_near(o.finished + o.beyond_trace, 1, 0, "done long before the end");
    program_folder_free(folder);
}

/* From a random start on, in each world: the trace ended before the work did, or not. */
static void starts_that_hit_the_end_are_counted(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    struct study *s = study_from_text(with(folder, ", start: random, wrap: no", ", price: 1 USD/h",
                                           "buy: spot, policy: {name: fallback, after: 30min}"),
                                      NULL);
    struct run run;
    study_run(&run, s, 1);
    struct simulation *sim = simulation_new(s);
    double counted = 0;
    for (uint32_t r = 0; r < 200; r++) {
        assert_true(simulation_begin_world(sim, r));
        const struct work_plan *plan = s->strategies[0].plans[0];
        double end_h = HUGE_VAL;
        for (size_t k = 0; k < plan->pool_count; k++) {
            double end_s = market_trace_end_s(simulation_market(sim), plan->pools[k].pool);
            end_h = fmin(end_h, end_s / 3600);
        }
        assert_true(end_h > 0 && end_h <= 24);
        bool beyond = run_value(&run, 0, r, METRIC_TIME_TO_TRAIN) > end_h;
        assert_near(run_value(&run, 0, r, METRIC_BEYOND_TRACE), beyond, 0, "counted");
        counted += beyond;
    }
    assert_true(counted > 30 && counted < 100); /* a job of 6 to 10 h in a day */
    /* And told: by `run` how often, by `check` what is replayed, by `explain` when it ended. */
    struct program p;
    program_file(folder, "plan.yaml",
                 with(folder, ", start: 20h, wrap: no", ", capacity: replay, price_model: replay",
                      "buy: spot, policy: {name: fallback, after: 30min}"));
    program_expect(&p, folder, "run plan.yaml --no-charts -o out", 0);
    assert_holds(p.out, "one: its trace ended before the work in all 200 futures; from there on "
                        "it has no nodes");
    program_release(&p);
    program_expect(&p, folder, "check plan.yaml", 0);
    assert_holds(p.out, "spot market in its trace all nodes obtainable");
    assert_holds(p.out, "whose"); /* prices are replayed; lines may break anywhere */
    program_release(&p);
    program_expect(&p, folder, "explain plan.yaml --replication 0", 0);
    assert_holds(p.out, "room for 0 nodes; its trace has ended");
    program_release(&p);
    simulation_free(sim);
    run_release(&run);
    study_free(s);
    program_folder_free(folder);
}

/* Six hours without a break are had from starts between 10 h and 20 h of the trace's 24, the last
 * of which ends with the first two hours of the next turn. */
static void a_random_start_is_uniform(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    struct run run;
    struct study *s = study_from_text(with(folder, "", ", price: 1 USD/h", SPOT), NULL);
    study_run(&run, s, 1);
    int at_once = 0;
    for (uint32_t k = 0; k < 200; k++) {
        double t = run_value(&run, 0, k, METRIC_TIME_TO_TRAIN);
        assert_true(t >= 6 && t <= 9);
        assert_near(t * 3600, round(t * 3600), 1e-6, "whole seconds");
        at_once += t == 6;
    }
    double share = 10.0 / 24, error = sqrt(share * (1 - share) / 200);
    assert_near(at_once / 200.0, share, 4 * error, "share of undisturbed starts");
    run_release(&run);
    study_free(s);
    program_folder_free(folder);
}

/* Zone b of the table is up just when zone a is down or unknown: with one clock no instant has both
 * or none, in any world. */
static void zones_of_a_table_share_a_clock(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    struct study *s = study_from_text(
        with(folder, "", ", price: 1 USD/h",
             "buy: spot}, two: {instance: p3.2xlarge, nodes: 1, zone: us-east-1b, buy: spot"),
        NULL);
    struct simulation *sim = simulation_new(s);
    assert_non_null(sim);
    struct market *m = simulation_market(sim);
    for (uint32_t k = 0; k < 50; k++) {
        assert_true(simulation_begin_world(sim, k));
        for (double t = 0; t < 4 * 86400; t += 613) {
            uint32_t a = market_capacity(m, 0, t, 100), b = market_capacity(m, 1, t, 100);
            assert_true((a > 0) != (b > 0));
        }
    }
    simulation_free(sim);
    study_free(s);
    program_folder_free(folder);
}

/* Up to 3 h of the trace an hour costs 0.918, then 1.5 up to the hole, behind it 0.918 again: at
 * most 1 USD an hour buys 2 h, nothing up to 10 h, and the other 4. A price is no maximum for
 * itself. */
static void a_maximum_price_interrupts(void **state)
{
    (void)state;
    static const struct {
        const char *max, *start;
        double time_h, at_918, at_15;
        int interruptions;
    } rows[] = {
        {"1 USD/h", "0s", 14, 6, 0, 1},     {"1.5 USD/h", "0s", 7, 2, 4, 1},
        {"0.918 USD/h", "0s", 14, 6, 0, 1}, {"1 USD/h", "4h", 12, 6, 0, 0},
        {"0.5 USD/h", "0s", 0, 0, 0, 0},    {"1 USD/h", "23h", 3 + 0 + 8 + 3, 6, 0, 1},
    };
    char *folder = folder_with_table(table), trace[100], rest[100];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(trace, sizeof trace, ", start: '%s'", rows[i].start);
        snprintf(rest, sizeof rest, ", price_model: replay, max_price: %s", rows[i].max);
        struct outcome o = outcome_of(with(folder, trace, rest, SPOT));
        assert_near(o.finished, rows[i].time_h > 0, 0, rows[i].max);
        assert_near(o.interruptions, rows[i].interruptions, 0, rows[i].max);
        assert_near(o.cost, rows[i].at_918 * 0.918 + rows[i].at_15 * 1.5, 1e-8, rows[i].max);
        if (rows[i].time_h > 0) {
            assert_near(o.time_h, rows[i].time_h, 1e-9, rows[i].max);
        }
    }
    program_folder_free(folder);
}

/* A gang may be as large as the trace's largest count, unless one node stands for more. */
static void a_gang_must_fit_the_trace(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    int code;
    const char *four = "buy: spot}, four: {instance: p3.2xlarge, nodes: 4, zone: us-east-1a, buy: "
                       "spot";
    char *text = study_errors(with(folder, "", ", price: 1 USD/h", four), &code);
    assert_int_equal(code, 4);
    assert_holds(text, "the market has at most 1 node of 'p3.2xlarge' spot: its trace counts no "
                       "more");
    free(text);
    struct outcome o =
        outcome_of(with(folder, ", nodes_per_unit: 4, start: 30min", ", price: 1 USD/h", four));
    assert_near(o.time_h, 7, 1e-9, "with four for one");
    program_folder_free(folder);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *trace, *rest, *says;
    } rows[] = {
        {", start: 30h", "", "'start' lies outside of trace"},
        {", start: soon", "", "'start' of a trace is 'soon'; expected 'random', a time into the"},
        {", start: 2025-12-31", "", "'start' lies outside of trace"},
        {", zone: us-east-1c", "", "has no pool 'p3.2xlarge' in 'us-east-1c'"},
        {", zone: us-east-1b", ", price_model: replay", "has no price of 'p3.2xlarge'"},
        {"", ", availability: 50 %",
         "'availability' of spot 'p3.2xlarge' belongs to capacity "
         "'hidden' or 'hyperexponential', but the capacity is 'replay'"},
        {"", ", capacity: hidden", "has a 'trace', but neither its capacity nor its price model"},
        {"", ", price: 1 USD/h, price_model: replay", "has both 'price' and the price model"},
        {"", ", price: 1 USD/h, price_floor: 10 %",
         "'price_floor' of spot 'p3.2xlarge' belongs to"},
        {"", ", price: 1 USD/h, max_price: 0 USD/h", "'max_price' of spot 'p3.2xlarge' is 0"},
        {", nodes_per_unit: 2", ", capacity: hidden, price_model: replay",
         "'nodes_per_unit' of spot 'p3.2xlarge' belongs to capacity 'replay'"},
    };
    char *folder = folder_with_table(table);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int code;
        char *text = study_errors(with(folder, rows[i].trace, rows[i].rest, SPOT), &code);
        assert_int_equal(code, 2);
        assert_holds(text, rows[i].says);
        free(text);
    }
    program_folder_free(folder);
}

static void tables_without_a_clock_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *table, *trace, *says;
    } rows[] = {
        {HEADER "us-east-1a,p3.2xlarge,2026-01-01T00:00:00Z,600,0,1,,\n"
                "us-east-1a,p3.2xlarge,,,600,,,end\n"
                "us-east-1b,p3.2xlarge,,600,0,1,,\n"
                "us-east-1b,p3.2xlarge,,,600,,,end\n",
         "", "says of 1 of its 2 pools when they start"},
        {HEADER "us-east-1a,p3.2xlarge,2026-01-01T00:00:00Z,600,0,1,,\n"
                "us-east-1a,p3.2xlarge,,,600,,,end\n"
                "us-east-1b,p3.2xlarge,2026-02-01T00:00:00Z,600,0,1,,\n"
                "us-east-1b,p3.2xlarge,,,600,,,end\n",
         "", "were never observed at the same time"},
        {HEADER "us-east-1a,p3.2xlarge,,600,0,1,,\n"
                "us-east-1a,p3.2xlarge,,,600,,,end\n",
         ", start: 2026-01-01", "does not say when it begins"},
        {HEADER "us-east-1a,p3.2xlarge,,600,600,1,,\n"
                "us-east-1a,p3.2xlarge,,,0,0,,\n"
                "us-east-1a,p3.2xlarge,,,900,,,end\n",
         "", "expected the rows of a pool in rising order"},
        {HEADER "us-east-1a,p3.2xlarge,,600,0,nan,,\n"
                "us-east-1a,p3.2xlarge,,,600,,,end\n",
         "", "nan"},
        {HEADER, "", "nothing is observed in this trace"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int code;
        char *folder = folder_with_table(rows[i].table);
        char *text = study_errors(with(folder, rows[i].trace, ", price: 1 USD/h", SPOT), &code);
        assert_holds(text, rows[i].says);
        free(text);
        program_folder_free(folder);
    }
}

/* The trace lies beside the results, and they can be run again from there. */
static void a_trace_is_copied_beside_the_results(void **state)
{
    (void)state;
    char *folder = folder_with_table(table);
    program_file(folder, "s.yaml", with(".", "", ", price: 1 USD/h", SPOT));
    program_expect_code(folder, "run s.yaml -o first", 0);
    program_expect_code(folder, "run first/inputs/s.yaml -o second", 0);
    assert_same_file(folder, "first", "second", "replications.csv");
    program_folder_free(folder);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_start_replays_the_trace),
        cmocka_unit_test(a_trace_that_ends_leaves_the_job_unfinished),
        cmocka_unit_test(starts_that_hit_the_end_are_counted),
        cmocka_unit_test(a_random_start_is_uniform),
        cmocka_unit_test(zones_of_a_table_share_a_clock),
        cmocka_unit_test(a_maximum_price_interrupts),
        cmocka_unit_test(a_gang_must_fit_the_trace),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(tables_without_a_clock_are_refused),
        cmocka_unit_test(a_trace_is_copied_beside_the_results),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
