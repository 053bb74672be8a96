/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables market, plan_world and survival of a whole study: by hand where a trace is replayed,
 * and in agreement with what the study says elsewhere where the market is drawn. */
#include "engine/gsl_errors.h"
#include "scenarios/output/market_table.h"
#include "scenarios/output/plan_world_table.h"
#include "scenarios/output/survival_table.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Up for 2 h, down for 1 h, up for 5 h at another price, down for 2 h, up to the end of the day. */
static const char trace[] = "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
                            "us-east-1a,p3.2xlarge,2026-01-01T00:00:00Z,600,0,1,0.918,\n"
                            "us-east-1a,p3.2xlarge,,,7200,0,,\n"
                            "us-east-1a,p3.2xlarge,,,10800,1,1.5,\n"
                            "us-east-1a,p3.2xlarge,,,28800,0,,\n"
                            "us-east-1a,p3.2xlarge,,,36000,1,0.918,\n"
                            "us-east-1a,p3.2xlarge,,,86400,,,end\n";

static double number(const struct table *t, size_t row, const char *column)
{
    assert_true(table_find(t, column) >= 0);
    return table_number(t, row, (size_t)table_find(t, column));
}

static const char *text(const struct table *t, size_t row, const char *column)
{
    assert_true(table_find(t, column) >= 0);
    return table_text(t, row, (size_t)table_find(t, column));
}

static struct study *replaying(const char *folder)
{
    char scenario[1500];
    program_file(folder, "t.csv", trace);
    snprintf(scenario, sizeof scenario,
             "version: 1\nregion: us-east-1\nreplications: 5\nstart: 2026-03-02\nhorizon: 4d\n"
             "market: {spot: {p3.2xlarge: {trace: {file: %s/t.csv, start: 0s}, notice: 0s,\n"
             "  capacity: replay, price_model: replay}},\n"
             "  on-demand: {p3.2xlarge: {price: 3.06 USD/h}}}\n"
             "workloads: {job: {kind: training, hours: 6h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  od: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
             "  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n",
             folder);
    return study_from_text(scenario, NULL);
}

/* 6 h of work: 2 h, an hour of nothing, 4 h. The market is shown to the end of the work. */
static void a_replayed_world_by_hand(void **state)
{
    (void)state;
    static const struct {
        double start_s, end_s, price, capacity, lost;
    } market_rows[] = {
        {0, 7200, 0.918, 1, 0}, {7200, 10800, 0.918, 0, 1}, {10800, 25200, 1.5, 1, 0}};
    static const struct {
        const char *strategy, *what, *purchase;
        double start_s, end_s;
    } rows[] = {{"od", "work", "on-demand", 0, 21600},       {"od", "done", "", 21600, 21600},
                {"spot", "work", "spot", 0, 7200},           {"spot", "idle", "", 7200, 10800},
                {"spot", "interrupted", "spot", 7200, 7200}, {"spot", "work", "spot", 10800, 25200},
                {"spot", "done", "", 25200, 25200}};
    char *folder = program_folder_new();
    struct study *s = replaying(folder);
    struct run run;
    study_run(&run, s, 1);
    struct table *market = market_table(&run), *plan = plan_world_table(&run);
    assert_non_null(market);
    assert_non_null(plan);
    /* All worlds cost the same: the plan world of both is one, or those that use spot have rows. */
    assert_int_equal(table_rows(market), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(number(market, i, "start_s") == market_rows[i].start_s);
        assert_true(number(market, i, "end_s") == market_rows[i].end_s);
        assert_near(number(market, i, "price_usd"), market_rows[i].price, 1e-12, "price");
        assert_true(number(market, i, "capacity_nodes") == market_rows[i].capacity);
        assert_true(number(market, i, "lost_nodes") == market_rows[i].lost);
    }
    assert_int_equal(table_rows(plan), sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < table_rows(plan); i++) {
        assert_string_equal(text(plan, i, "strategy"), rows[i].strategy);
        assert_string_equal(text(plan, i, "what"), rows[i].what);
        assert_string_equal(text(plan, i, "purchase"), rows[i].purchase);
        assert_true(number(plan, i, "start_s") == rows[i].start_s);
        assert_true(number(plan, i, "end_s") == rows[i].end_s);
    }
    table_free(market);
    table_free(plan);
    run_release(&run);
    study_free(s);
    program_folder_free(folder);
}

/* The trace's up times that were seen to begin: 5 h, and 14 h to its end, censored. */
static void up_times_of_the_trace(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    struct study *s = replaying(folder);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = survival_table(&run);
    size_t fitted = 0, seen = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        fitted += strcmp(text(t, i, "curve"), "fitted") == 0;
        if (strcmp(text(t, i, "curve"), "trace") == 0) {
            double share = number(t, i, "survival_frac");
            seen++;
            assert_true(number(t, i, "runs") == 2 && number(t, i, "ended") == 1);
            assert_true(share == (number(t, i, "hours") < 5 ? 1 : 0.5));
        }
    }
    assert_true(seen > 10 && fitted > 10);
    table_free(t);
    run_release(&run);
    study_free(s);
    program_folder_free(folder);
}

/* Drawn markets and several policies: each lane has no gaps and no overlaps, its losses are those
 * of the metrics, its time without a node is the idle time, and losses happen where the market's
 * table has too little room. */
static void lanes_agree_with_metrics_and_market(void **state)
{
    char scenario[1500];
    snprintf(scenario, sizeof scenario,
             "version: 1\nregion: us-west-2\nreplications: 21\nstart: 2026-01-05\nhorizon: 12d\n"
             "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, availability: 0.5..0.8, notice: 0s,\n"
             "  node_slope: 0.3}}}\n"
             "workloads: {job: {kind: training, hours: 40h, boot: 4min, deadline: 60h,\n"
             "  checkpoint: {every: 1h, write: 60s, restore: 6min}%s}}\n"
             "strategies:\n  wait: {instance: p3.2xlarge, nodes: 2, buy: spot}\n"
             "  greedy: {instance: p3.2xlarge, nodes: 2, buy: spot, policy: greedy}\n"
             "  line: {instance: p3.2xlarge, nodes: 2, buy: spot, policy: uniform-progress}\n",
             (const char *)*state);
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *plan = plan_world_table(&run), *market = market_table(&run);
    size_t lost = 0, lost_seen = 0;
    for (size_t k = 0; k < 3; k++) {
        const struct metric_cells *cells = results_cells(&run.results, run.plan_worlds[k], k, 0);
        double at_s = 0, idle_s = 0, losses = 0, done = 0;
        for (size_t i = 0; i < table_rows(plan); i++) {
            const char *what = text(plan, i, "what");
            double start_s = number(plan, i, "start_s"), end_s = number(plan, i, "end_s");
            if (strcmp(text(plan, i, "strategy"), study_strategy_name(s, k)) != 0) {
                continue;
            }
            assert_true(number(plan, i, "left_out") == 0);
            losses += strcmp(what, "interrupted") == 0;
            done += strcmp(what, "done") == 0;
            if (end_s > start_s) {
                assert_near(start_s, at_s, 1e-6, "no gap");
                at_s = end_s;
                idle_s += strcmp(what, "idle") == 0 ? end_s - start_s : 0;
            }
            for (size_t m = 0; strcmp(what, "interrupted") == 0 && m < table_rows(market); m++) {
                bool here = number(market, m, "replication") == run.plan_worlds[k] &&
                            number(market, m, "start_s") == start_s;
                lost_seen += here && number(market, m, "lost_nodes") > 0;
            }
        }
        lost += (size_t)losses;
        assert_near(at_s, cells->value[METRIC_TIME_TO_TRAIN].number * 3600, 1e-3, "end");
        assert_near(losses, cells->value[METRIC_LOSSES].number, 0, "losses");
        assert_near(done, cells->value[METRIC_FINISHED].number, 0, "done");
        assert_near(idle_s, cells->value[METRIC_IDLE].number * 3600, 1e-3, "idle");
    }
    assert_true(lost > 5);
    assert_int_equal(lost_seen, lost);
    table_free(plan);
    table_free(market);
    run_release(&run);
    study_free(s);
}

/* Work of every kind that has an end is in the table with that end, so that nobody takes the end of
 * the gangs for that of all. */
static void all_work_with_an_end_has_it(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nregion: us-east-1\nreplications: 3\nstart: 2026-03-02\nhorizon: 4d\n"
        "workloads:\n"
        "  first: {kind: training, hours: 6h, boot: 0s}\n"
        "  sweep: {kind: trials, trials: 4, duration: 2h, after: first}\n"
        "  last: {kind: training, hours: 200h, boot: 0s}\n"
        "  desk: {kind: usage, nodes: 1}\n"
        "strategies: {od: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *plan = plan_world_table(&run);
    const struct {
        const char *workload, *what;
        double end_h;
    } ends[] = {{"first", "done", 6}, {"sweep", "done", 14}, {"last", "cut", 96}};
    size_t seen = 0;
    for (size_t i = 0; i < table_rows(plan); i++) {
        const char *what = text(plan, i, "what");
        if (strcmp(what, "done") == 0 || strcmp(what, "cut") == 0) {
            assert_true(seen < 3);
            assert_string_equal(text(plan, i, "workload"), ends[seen].workload);
            assert_string_equal(what, ends[seen].what);
            assert_true(number(plan, i, "end_s") >= ends[seen].end_h * 3600);
            seen++;
        }
    }
    assert_int_equal(seen, 3);
    table_free(plan);
    run_release(&run);
    study_free(s);
}

/* Exponential times up: simulation and plan agree, within the error of some thousand of them. */
static void exponential_up_times_are_what_planning_counts_with(void **state)
{
    (void)state;
    static const char scenario[] =
        "version: 1\nregion: us-west-2\nreplications: 30\nstart: 2026-01-05\nhorizon: 60d\n"
        "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, capacity: on-off, mean_up: 5h,\n"
        "  mean_down: 1h, interruptions: 5h}}}\n"
        "workloads: {job: {kind: training, hours: 1h}}\n"
        "strategies: {wait: {instance: p3.2xlarge, nodes: 2, buy: spot}}\n";
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = survival_table(&run);
    size_t half = table_rows(t) / 2;
    assert_true(half > 30);
    for (size_t i = 0; i < half; i++) {
        double n = number(t, i, "runs"), p = number(t, i + half, "survival_frac");
        assert_string_equal(text(t, i, "curve"), "simulated");
        assert_string_equal(text(t, i + half, "curve"), "planned");
        /* 1/5 h of the pool and 2 × 1/5 h of its nodes. */
        assert_near(p, exp(-0.6 * number(t, i + half, "hours")), 1e-9, "planned");
        assert_true(n > 3000);
        assert_near(number(t, i, "survival_frac"), p, 4 * sqrt(p * (1 - p) / n) + 1e-3, "share");
    }
    table_free(t);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    static char gang[] = "", elastic[] = ", elastic: {min: 1, max: 2}";
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replayed_world_by_hand),
        cmocka_unit_test(up_times_of_the_trace),
        cmocka_unit_test(all_work_with_an_end_has_it),
        {"lanes of gangs", lanes_agree_with_metrics_and_market, NULL, NULL, gang},
        {"lanes of elastic jobs", lanes_agree_with_metrics_and_market, NULL, NULL, elastic},
        cmocka_unit_test(exponential_up_times_are_what_planning_counts_with),
    };
    return cmocka_run_group_tests_name("world_tables", tests, NULL, NULL);
}
