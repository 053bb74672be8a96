/* SPDX-License-Identifier: GPL-3.0-or-later
 * The result tables, made from worlds whose values are given here, so that every cell is known. */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "scenarios/output/comparison_table.h"
#include "scenarios/output/distribution_table.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/output/summary_table.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((double)NAN)

/* January (two days) and February inside the horizon, which ends in March. */
#define SCENARIO(region)                                                                           \
    "version: 1\nstart: 2026-01-30\nhorizon: 40d\nregion: " region "\nreplications: 1\n"           \
    "workloads:\n  job: {kind: training, hours: 10h}\n"                                            \
    "strategies:\n"                                                                                \
    "  base: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                   \
    "  other: {instance: p3.2xlarge, nodes: 1, buy: spot}\n"

struct made {
    struct study *study;
    struct run run;
};

/* One world of one strategy. cost < 0: cut off at the horizon with that much spent. */
struct world {
    double cost, time_h;
    double over_budget, late;
};

static void set_world(struct run *run, uint32_t i, size_t strategy, struct world w)
{
    for (size_t row = 0; row < 2; row++) {
        struct metric_cells *c = results_cells(&run->results, i, strategy, row);
        money_t cost;
        assert_true(money_from_double(fabs(w.cost), &cost));
        c->value[METRIC_COST].money = c->value[METRIC_CASH].money = cost;
        c->value[METRIC_TIME_TO_TRAIN].number = w.time_h;
        c->value[METRIC_FINISHED].number = w.cost >= 0;
        c->value[METRIC_LATE].number = w.late;
        c->value[METRIC_OVER_BUDGET].number = row == 1 ? w.over_budget : NONE;
        c->value[METRIC_GOODPUT].number = w.time_h > 0 ? 0.5 : NONE;
        c->line[strategy][ACTIVITY_USEFUL] = cost;
        c->node_h[strategy][ACTIVITY_USEFUL] = w.time_h;
        results_months(&run->results, i, strategy)[0] = cost / 4;
        results_months(&run->results, i, strategy)[1] = cost - cost / 4;
    }
}

static void make(struct made *m, const char *text, uint32_t n, const struct world *base,
                 const struct world *other)
{
    m->study = study_from_text(text, NULL);
    m->run = (struct run){.study = m->study, .precise = true, .precision_reached = NONE};
    assert_true(
        results_init(&m->run.results, 2, 1, m->study->frame.months, m->study->frame.others, n));
    m->run.results.replications = n;
    m->run.plan_worlds = calloc(2, sizeof *m->run.plan_worlds);
    for (uint32_t i = 0; i < n; i++) {
        set_world(&m->run, i, 0, base[i]);
        set_world(&m->run, i, 1, other[i]);
    }
    for (size_t k = 0; k < 2; k++) {
        assert_true(results_plan_world(&m->run.results, k, &m->run.plan_worlds[k]));
    }
}

static void release(struct made *m)
{
    run_release(&m->run);
    study_free(m->study);
}

/* ---- looking into a table ---- */

/* The row whose texts are these, in the columns named; SIZE_MAX when there is none. */
static size_t row_of(const struct table *t, const char *strategy, const char *workload,
                     const char *metric)
{
    size_t found = SIZE_MAX;
    for (size_t r = 0; r < table_rows(t); r++) {
        if (strcmp(table_text(t, r, (size_t)table_find(t, "strategy")), strategy) == 0 &&
            strcmp(table_text(t, r, (size_t)table_find(t, "workload")), workload) == 0 &&
            strcmp(table_text(t, r, (size_t)table_find(t, "metric")), metric) == 0) {
            assert_int_equal(found, SIZE_MAX);
            found = r;
        }
    }
    return found;
}

static double cell(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    if (c < 0 || row == SIZE_MAX) {
        fail_msg("no row, or no column '%s'", column);
    }
    return table_number(t, row, (size_t)c);
}

static void assert_cell(const struct table *t, size_t row, const char *column, double want)
{
    double got = cell(t, row, column);
    if (isnan(want)) {
        if (!isnan(got)) {
            fail_msg("'%s' is %g, should be empty", column, got);
        }
        return;
    }
    assert_near(got, want, 1e-9 * fmax(1, fabs(want)), column);
}

/* ---- summary ---- */

static void summary_of_finished_worlds(void **state)
{
    (void)state;
    struct world base[10], other[10];
    for (int i = 0; i < 10; i++) {
        base[i] = (struct world){10 * (i + 1), i + 1, i >= 7, NONE};
        other[i] = (struct world){5, 3, 0, NONE};
    }
    struct made m;
    make(&m, SCENARIO("us-east-1"), 10, base, other);
    struct table *t = summary_table(&m.run);
    size_t r = row_of(t, "base", "all", "cost_usd");
    static const struct {
        const char *column;
        double value;
    } want[] = {
        {"n", 10},
        {"censored", 0},
        {"mean", 55},
        {"sd", 30.276503540974915},
        {"min", 10},
        {"p5", 10},
        {"p10", 10},
        {"p25", 30},
        {"p50", 50},
        {"p75", 80},
        {"p80", 80},
        {"p90", 90},
        {"p95", 100},
        {"p99", 100},
        {"max", 100},
        {"p50_low", 20},
        /* Ranks 2 and 9 of 10 cover the median with 97.85 %: David & Nagaraja, section 7.1. */
        {"p50_high", 90},
        {"p95_high", NONE},
        {"p50_at_least", NONE},
        {"p95_at_most", NONE},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_cell(t, r, want[i].column, want[i].value);
    }
    assert_string_equal(table_text(t, r, (size_t)table_find(t, "unit")), "usd");
    assert_cell(t, row_of(t, "base", "all", "over_budget"), "mean", 0.3);
    assert_cell(t, row_of(t, "base", "job", "time_to_train_h"), "p50", 5);
    assert_cell(t, row_of(t, "other", "all", "cost_usd"), "sd", 0);
    /* What exists nowhere has no row: a budget of one workload, a deadline nobody set. */
    assert_int_equal(row_of(t, "base", "job", "over_budget"), SIZE_MAX);
    assert_int_equal(row_of(t, "base", "all", "late"), SIZE_MAX);
    table_free(t);
    release(&m);
}

static void summary_of_cut_worlds(void **state)
{
    (void)state;
    /* Two of five are cut: one that had spent little, one that had spent most. */
    static const struct world base[] = {
        {-1, 24, 0, 1}, {20, 10, 0, 0}, {30, 11, 0, 0}, {40, 12, 1, 0}, {-90, 24, 1, 1}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 5, base, base);
    struct table *t = summary_table(&m.run);
    size_t r = row_of(t, "base", "all", "cost_usd");
    assert_cell(t, r, "n", 5);
    assert_cell(t, r, "censored", 2);
    assert_cell(t, r, "mean", NONE);
    assert_cell(t, r, "sd", NONE);
    assert_cell(t, r, "max", NONE);
    assert_cell(t, r, "min", NONE); /* the cut world that had spent 1 may have cost anything */
    assert_cell(t, r, "p50", NONE); /* 30, or 40 when that world is dear */
    assert_cell(t, r, "p50_at_least", 30);
    assert_cell(t, r, "p50_at_most", 40);
    assert_cell(t, r, "p90", NONE);
    assert_cell(t, r, "p90_at_least", 90);
    assert_cell(t, r, "p90_at_most", NONE);
    r = row_of(t, "base", "all", "time_to_train_h");
    assert_cell(t, r, "min", 10);
    assert_cell(t, r, "p50", 12);
    assert_cell(t, r, "p80", NONE);
    assert_cell(t, r, "p80_at_least", 24);
    /* One is over the budget, one that was cut too, and of the other cut one it is not known. */
    r = row_of(t, "base", "all", "over_budget");
    assert_cell(t, r, "n", 5);
    assert_cell(t, r, "censored", 1);
    assert_cell(t, r, "mean", 0.4);
    r = row_of(t, "base", "all", "late");
    assert_cell(t, r, "censored", 0);
    assert_cell(t, r, "mean", 0.4);
    r = row_of(t, "base", "all", "finished");
    assert_cell(t, r, "mean", 0.6);
    table_free(t);
    release(&m);
}

static void summary_of_one_world_and_of_none(void **state)
{
    (void)state;
    static const struct world one[] = {{12.5, 3, NONE, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 1, one, one);
    struct table *t = summary_table(&m.run);
    size_t r = row_of(t, "base", "all", "cost_usd");
    static const char *const same[] = {"mean", "min", "p5", "p50", "p90", "p99", "max"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_cell(t, r, same[i], 12.5);
    }
    static const char *const empty[] = {"sd", "p50_low", "p50_high", "p80_low", "p95_high"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        assert_cell(t, r, empty[i], NONE);
    }
    table_free(t);
    m.run.results.replications = 0;
    m.run.plan_worlds[0] = m.run.plan_worlds[1] = UINT32_MAX;
    struct result_tables all;
    assert_true(result_tables_make(&all, &m.run));
    assert_int_equal(table_rows(all.summary), 0);
    assert_int_equal(table_rows(all.comparison), 0);
    assert_int_equal(table_rows(all.distribution), 0);
    assert_int_equal(table_rows(all.timeline), 0);
    result_tables_release(&all);
    release(&m);
}

/* ---- comparison ---- */

static void differences_are_paired(void **state)
{
    (void)state;
    static const struct world base[] = {{10, 5, 0, NONE}, {20, 5, 0, NONE}, {30, 0, 0, NONE}};
    static const struct world other[] = {{9, 5, 0, NONE}, {20, 6, 0, NONE}, {24, 0, 1, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 3, base, other);
    struct table *t = comparison_table(&m.run);
    size_t r = row_of(t, "other", "all", "cost_usd");
    assert_string_equal(table_text(t, r, (size_t)table_find(t, "baseline")), "base");
    assert_cell(t, r, "n", 3);
    assert_cell(t, r, "left_out", 0);
    assert_cell(t, r, "mean_difference", -7.0 / 3);
    /* Differences -1, 0, -6: sd 3.2146, t(0.975; 2) = 4.302653 (any table of Student's t). */
    assert_near(cell(t, r, "low"), -7.0 / 3 - 4.302653 * 3.214550 / sqrt(3), 1e-5, "low");
    assert_near(cell(t, r, "high"), -7.0 / 3 + 4.302653 * 3.214550 / sqrt(3), 1e-5, "high");
    assert_cell(t, r, "win_frac", 2.0 / 3);
    assert_cell(t, r, "tie_frac", 1.0 / 3);
    assert_cell(t, r, "relative_frac", -7.0 / 60);
    assert_cell(t, r, "difference_at_least", NONE);
    assert_cell(t, r, "difference_at_most", NONE);
    /* Exists in two of three worlds: what is left out is said, and the mean is not. */
    r = row_of(t, "other", "all", "goodput_frac");
    assert_cell(t, r, "n", 2);
    assert_cell(t, r, "left_out", 1);
    assert_cell(t, r, "mean_difference", NONE);
    assert_cell(t, r, "tie_frac", 1);
    /* Nothing is compared with itself, nor what does not exist. */
    assert_int_equal(row_of(t, "base", "all", "cost_usd"), SIZE_MAX);
    assert_int_equal(row_of(t, "other", "all", "late"), SIZE_MAX);
    assert_int_equal(row_of(t, "other", "job", "over_budget"), SIZE_MAX);
    table_free(t);
    release(&m);
}

struct bounds_case {
    const char *name;
    size_t n;
    struct {
        double a, b; /* negative: cut at the value without its sign */
    } pair[4];
    double at_least, at_most;
    size_t pairs, wins, ties;
};

static const struct bounds_case bounds_cases[] = {
    {"all known", 3, {{1, 2}, {5, 3}, {4, 4}}, 1.0 / 3, 1.0 / 3, 3, 1, 1},
    {"only a is cut", 2, {{1, 4}, {-6, 5}}, -1, NONE, 2, 1, 0},
    {"only b is cut", 2, {{1, 4}, {5, -6}}, NONE, -2, 2, 2, 0},
    {"b is cut, but below a", 1, {{5, -4}}, NONE, 1, 1, 0, 0},
    {"b is cut at a", 1, {{5, -5}}, NONE, 0, 1, 0, 0},
    {"a is cut below b", 1, {{-1, 5}}, -4, NONE, 1, 0, 0},
    {"both are cut", 2, {{-1, -5}, {2, 3}}, NONE, NONE, 2, 1, 0},
    {"one exists", 2, {{NONE, 3}, {2, 3}}, -1, -1, 1, 1, 0},
    {"none exists", 1, {{NONE, NONE}}, NONE, NONE, 0, 0, 0},
};

static void sure_bounds_of_a_difference(void **state)
{
    const struct bounds_case *c = *state;
    double a[4], b[4];
    unsigned char a_cut[4], b_cut[4];
    for (size_t i = 0; i < c->n; i++) {
        a[i] = fabs(c->pair[i].a);
        b[i] = fabs(c->pair[i].b);
        a_cut[i] = c->pair[i].a < 0;
        b_cut[i] = c->pair[i].b < 0;
    }
    struct sure_difference d = sure_difference(a, a_cut, b, b_cut, c->n);
    assert_int_equal(d.pairs, c->pairs);
    assert_int_equal(d.wins, c->wins);
    assert_int_equal(d.ties, c->ties);
    assert_true(isnan(c->at_least) ? isnan(d.at_least) : fabs(d.at_least - c->at_least) < 1e-12);
    assert_true(isnan(c->at_most) ? isnan(d.at_most) : fabs(d.at_most - c->at_most) < 1e-12);
}

/* A strategy that is cheaper in the one world in which it finishes is not cheaper in all. */
static void a_cut_world_is_no_win(void **state)
{
    (void)state;
    static const struct world base[] = {
        {10, 5, 0, NONE}, {10, 5, 0, NONE}, {10, 5, 0, NONE}, {10, 5, 0, NONE}};
    static const struct world other[] = {
        {4, 5, 0, NONE}, {-1, 24, 0, NONE}, {-2, 24, 0, NONE}, {-3, 24, 0, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 4, base, other);
    struct table *t = comparison_table(&m.run);
    size_t r = row_of(t, "other", "all", "cost_usd");
    assert_cell(t, r, "n", 1);
    assert_cell(t, r, "left_out", 3);
    assert_cell(t, r, "mean_difference", NONE);
    assert_cell(t, r, "relative_frac", NONE);
    assert_cell(t, r, "win_frac", 0.25);
    assert_cell(t, r, "difference_at_least", -7.5); /* it saves 7.5 at most */
    assert_cell(t, r, "difference_at_most", NONE);
    table_free(t);
    release(&m);
}

/* ---- distribution ---- */

struct point {
    double value, cumulative, finished;
    int censored;
};

static void assert_points(const struct run *run, const char *strategy, const char *metric,
                          const struct point *want, size_t count)
{
    struct table *t = distribution_table(run);
    size_t found = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        if (strcmp(table_text(t, r, 0), strategy) == 0 && strcmp(table_text(t, r, 1), "all") == 0 &&
            strcmp(table_text(t, r, 2), metric) == 0) {
            assert_true(found < count);
            assert_cell(t, r, "value", want[found].value);
            assert_cell(t, r, "cumulative_frac", want[found].cumulative);
            assert_cell(t, r, "censored", want[found].censored);
            assert_cell(t, r, "finished_frac", want[found].finished);
            found++;
        }
    }
    assert_int_equal(found, count);
    table_free(t);
}

static void points_of_a_distribution(void **state)
{
    (void)state;
    static const struct world base[] = {
        {30, 5, 0, NONE}, {-20, 24, 0, NONE}, {10, 5, 0, NONE}, {20, 5, 0, NONE}, {30, 5, 0, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 5, base, base);
    static const struct point costs[] = {
        {10, 0.2, 0.2, 0}, {20, 0.4, 0.4, 0}, {20, 0.6, 0.4, 1}, {30, 1.0, 0.8, 0}};
    static const struct point times[] = {{5, 0.8, 0.8, 0}, {24, 1.0, 0.8, 1}};
    assert_points(&m.run, "base", "cost_usd", costs, 4);
    assert_points(&m.run, "other", "time_to_train_h", times, 2);
    release(&m);
}

struct size_case {
    const char *name;
    uint32_t n, different;
    size_t points;
};

static const struct size_case size_cases[] = {
    {"one world", 1, 1, 1},
    {"all points", 1000, 1000, 1000},
    {"one more world than points", 1001, 1001, 1000},
    {"many worlds", 12345, 12345, 1000},
    {"all equal", 5000, 1, 1},
    {"few values", 5000, 7, 7},
};

/* Every point is true, and the last is the largest value, whatever the number of worlds. */
static void a_distribution_has_at_most_1000_points(void **state)
{
    const struct size_case *c = *state;
    struct world *worlds = calloc(c->n, sizeof *worlds);
    for (uint32_t i = 0; i < c->n; i++) {
        worlds[i] = (struct world){1 + (i * 7919u) % c->different, 5, NONE, NONE};
    }
    struct made m;
    make(&m, SCENARIO("us-east-1"), c->n, worlds, worlds);
    struct table *t = distribution_table(&m.run);
    size_t points = 0;
    double before = 0, cumulative = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        if (strcmp(table_text(t, r, 0), "base") != 0 || strcmp(table_text(t, r, 1), "all") != 0 ||
            strcmp(table_text(t, r, 2), "cost_usd") != 0) {
            continue;
        }
        double value = cell(t, r, "value");
        uint32_t below = 0;
        for (uint32_t i = 0; i < c->n; i++) {
            below += worlds[i].cost <= value;
        }
        cumulative = cell(t, r, "cumulative_frac");
        assert_near(cumulative, (double)below / c->n, 1e-12, "share at or below");
        assert_true(value > before);
        before = value;
        points++;
    }
    assert_int_equal(points, c->points);
    assert_near(cumulative, 1, 0, "the last point");
    table_free(t);
    release(&m);
    free(worlds);
}

/* ---- months and lines ---- */

static void months_behind_the_horizon_know_bounds_only(void **state)
{
    (void)state;
    static const struct world base[] = {{40, 5, 0, NONE}, {80, 5, 0, NONE}, {-400, 24, 0, NONE}};
    static const struct world other[] = {{40, 5, 0, NONE}, {80, 5, 0, NONE}, {120, 5, 0, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 3, base, other);
    results_months(&m.run.results, 0, 0)[2] = 3 * MONEY_UNIT;
    results_months(&m.run.results, 0, 1)[4] = 3 * MONEY_UNIT; /* finished in May */
    struct result_tables all;
    assert_true(result_tables_make(&all, &m.run));
    const struct table *t = all.monthly;
    static const struct {
        const char *strategy, *month;
        double mean, plan, p10, p90, censored;
    } want[] = {
        /* January and February end inside the horizon: what was spent in them is known. The plan
         * world is the second: 40 is as near the median, but later of the two is not first. */
        {"base", "2026-01", 520.0 / 12, 20, 10, 100, 0},
        {"base", "2026-02", 520.0 / 4, 60, 30, 300, 0},
        {"base", "2026-03", NONE, 0, 0, NONE, 1},
        {"other", "2026-01", 20, 20, 10, 30, 0},
        {"other", "2026-02", 60, 60, 30, 90, 0},
        {"other", "2026-03", 0, 0, 0, 0, 0},
        {"other", "2026-05", 1, 0, 0, 3, 0},
    };
    size_t count = sizeof want / sizeof want[0];
    assert_int_equal(table_rows(t), count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(table_text(t, i, 0), want[i].strategy);
        assert_string_equal(table_text(t, i, 1), want[i].month);
        assert_cell(t, i, "cost_mean_usd", want[i].mean);
        assert_cell(t, i, "cost_plan_usd", want[i].plan);
        assert_cell(t, i, "cost_p10_usd", want[i].p10);
        assert_cell(t, i, "cost_p90_usd", want[i].p90);
        assert_cell(t, i, "censored", want[i].censored);
    }
    result_tables_release(&all);
    release(&m);
}

static void lines_of_cut_worlds_have_no_mean(void **state)
{
    (void)state;
    static const struct world base[] = {{40, 5, 0, NONE}, {80, 6, 0, NONE}, {-400, 24, 0, NONE}};
    static const struct world other[] = {{40, 5, 0, NONE}, {80, 6, 0, NONE}, {120, 7, 0, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 3, base, other);
    struct result_tables all;
    assert_true(result_tables_make(&all, &m.run));
    const struct table *t = all.lines;
    /* One way to buy each, and what is shown always: nothing fails, is staged or evaluated. */
    const size_t lines = ACTIVITY_WAITING + 1;
    assert_int_equal(table_rows(t), 2 * (lines + CHARGE_ALWAYS));
    assert_string_equal(table_text(t, lines, 2), "other");
    assert_string_equal(table_text(t, lines, 3), "disk");
    assert_string_equal(table_text(t, 0, 2), "on-demand");
    assert_string_equal(table_text(t, 0, 3), "useful");
    assert_cell(t, 0, "cost_mean_usd", NONE);
    assert_cell(t, 0, "cost_plan_usd", 80);
    assert_cell(t, 0, "cost_p10_usd", 40);
    assert_cell(t, 0, "cost_p90_usd", NONE);
    assert_cell(t, 0, "node_h_mean", NONE);
    assert_cell(t, 0, "node_h_plan", 6);
    assert_cell(t, 0, "censored", 1);
    size_t spot = lines + CHARGE_ALWAYS;
    assert_string_equal(table_text(t, spot, 2), "spot");
    assert_cell(t, spot, "cost_mean_usd", 80);
    assert_cell(t, spot, "cost_p90_usd", 120);
    assert_cell(t, spot, "node_h_mean", 6);
    assert_cell(t, spot, "censored", 0);
    result_tables_release(&all);
    release(&m);
}

/* ---- currency and layouts ---- */

static void another_currency_is_in_every_name(void **state)
{
    (void)state;
    static const struct world one[] = {{12.5, 3, NONE, NONE}};
    struct made m;
    make(&m, SCENARIO("cn-north-1") "market: {spot: {p3.2xlarge: {price: 1 CNY/h}}}\n", 1, one,
         one);
    struct result_tables all;
    assert_true(result_tables_make(&all, &m.run));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(table_write_csv(all.summary, out) && table_write_csv(all.comparison, out) &&
                table_write_csv(all.distribution, out) && table_write_csv(all.monthly, out) &&
                table_write_csv(all.lines, out) && table_write_csv(all.timeline, out) &&
                table_write_csv(all.quarters, out) && table_write_csv(all.categories, out));
    fclose(out);
    assert_null(strcasestr(text, "usd"));
    assert_non_null(strstr(text, "cost_cny,cny,"));
    assert_non_null(strstr(text, "cost_plan_cny"));
    free(text);
    result_tables_release(&all);
    release(&m);
}

static void tables_have_the_columns_of_their_layouts(void **state)
{
    (void)state;
    static const struct world one[] = {{12.5, 3, NONE, NONE}};
    struct made m;
    make(&m, SCENARIO("us-east-1"), 1, one, one);
    struct result_tables all;
    assert_true(result_tables_make(&all, &m.run));
    const struct table *tables[] = {all.summary, all.comparison, all.distribution, all.timeline,
                                    all.monthly, all.lines,      all.quarters,     all.categories};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct arena *a = arena_new(0);
        struct result_table_layout l;
        assert_true(result_table_layout(table_name(tables[i]), "USD", a, &l));
        assert_int_equal(table_columns(tables[i]), l.count);
        for (size_t c = 0; c < l.count; c++) {
            assert_string_equal(table_column(tables[i], c)->name, l.columns[c].name);
        }
        arena_free(a);
    }
    result_tables_release(&all);
    release(&m);
}

#define ROWS(cases) (sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest single[] = {
        cmocka_unit_test(summary_of_finished_worlds),
        cmocka_unit_test(summary_of_cut_worlds),
        cmocka_unit_test(summary_of_one_world_and_of_none),
        cmocka_unit_test(differences_are_paired),
        cmocka_unit_test(a_cut_world_is_no_win),
        cmocka_unit_test(points_of_a_distribution),
        cmocka_unit_test(months_behind_the_horizon_know_bounds_only),
        cmocka_unit_test(lines_of_cut_worlds_have_no_mean),
        cmocka_unit_test(another_currency_is_in_every_name),
        cmocka_unit_test(tables_have_the_columns_of_their_layouts),
    };
    struct CMUnitTest tests[ROWS(single) + ROWS(bounds_cases) + ROWS(size_cases)];
    size_t count = ROWS(single);
    memcpy(tests, single, sizeof single);
    for (size_t i = 0; i < ROWS(bounds_cases); i++) {
        tests[count++] = (struct CMUnitTest){.name = bounds_cases[i].name,
                                             .test_func = sure_bounds_of_a_difference,
                                             .initial_state = (void *)(uintptr_t)&bounds_cases[i]};
    }
    for (size_t i = 0; i < ROWS(size_cases); i++) {
        tests[count++] = (struct CMUnitTest){.name = size_cases[i].name,
                                             .test_func = a_distribution_has_at_most_1000_points,
                                             .initial_state = (void *)(uintptr_t)&size_cases[i]};
    }
    return _cmocka_run_group_tests("result_tables", tests, count, NULL, NULL);
}
