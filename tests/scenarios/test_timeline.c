/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spend and nodes in time: how buckets are chosen, and that they, the months and the lines of a
 * plan world add up to its bill. */
#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- buckets ---- */

struct bucket_case {
    const char *name;
    double end_s, horizon_s;
    size_t buckets;
    int64_t bucket_s;
};

static const struct bucket_case bucket_cases[] = {
    {"no work", 0, 86400, 1, 10},
    {"a minute", 60, 86400, 6, 10},
    {"just the shortest", 4000, 86400, 400, 10},
    {"a second more", 4001, 86400, 134, 30},
    {"a day", 86400, 30 * 86400, 288, 300},
    {"cut at the horizon", 40 * 86400, 30 * 86400, 360, 7200},
    {"finished behind the horizon", 90 * 86400, 30 * 86400, 360, 7200},
    {"not a whole number of buckets", 100001, 30 * 86400, 334, 300},
    {"ten years", 3652.5 * 86400, 3652.5 * 86400, 261, 14 * 86400},
};

static void buckets_of_a_span(void **state)
{
    const struct bucket_case *c = *state;
    struct results r;
    struct timeline t;
    assert_true(results_init(&r, 2, 1, 1, 0, 3));
    r.replications = 3;
    for (uint32_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 2; k++) {
            results_cells(&r, i, k, 1)->value[METRIC_TIME_TO_TRAIN].number =
                i == 1 && k == 1 ? c->end_s / 3600 : 0;
        }
    }
    assert_true(timeline_init(&t, &r, (int64_t)(c->horizon_s * 1e6), 2));
    assert_int_equal(t.frames[1].buckets, c->buckets);
    assert_int_equal(t.frames[1].bucket_us, c->bucket_s * MICROSECONDS);
    assert_int_equal(t.frames[0].buckets, 1); /* whatever the other does */
    assert_int_equal(t.most, c->buckets);
    assert_int_equal(t.replications, 2);
    assert_true(t.most <= TIMELINE_MAX_BUCKETS);
    timeline_release(&t);
    results_release(&r);
}

/* ---- sums ---- */

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-01-30T10:17Z\nhorizon: 20d\nregion: us-east-1\nseed: 7\n"             \
    "replications: 100\n"                                                                          \
    "market: {spot: {p3.2xlarge: {price: 0.9..1.1 USD/h, availability: 60..90 %,\n"                \
    "                             interruptions: 0.05/h}}}\n"
#define STRATEGIES                                                                                 \
    "strategies:\n"                                                                                \
    "  on-demand: {instance: p3.2xlarge, nodes: 3, buy: on-demand}\n"                              \
    "  spot: {instance: p3.2xlarge, nodes: 3, buy: spot}\n"                                        \
    "  back: {instance: p3.2xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: yes}}\n"

struct sums_case {
    const char *name, *text;
    bool beyond; /* something is paid behind the horizon */
    bool cut;    /* some worlds are cut */
};

static const struct sums_case sums_cases[] = {
    {"two workloads over two months",
     HEAD "workloads:\n"
          "  main: {kind: training, hours: 60..100h, restart: node, checkpoint: {every: auto}}\n"
          "  second: {kind: training, hours: 5h, submit: 36h, checkpoint: continuous}\n" STRATEGIES,
     false, false},
    {"cut at the horizon",
     HEAD "workloads:\n  main: {kind: training, hours: 200..470h, checkpoint: {every: "
          "auto}}\n" STRATEGIES,
     false, true},
    {"finished behind it",
     HEAD "workloads:\n  main: {kind: training, hours: 400..600h, checkpoint: {every: auto},\n"
          "         at_horizon: finish-on-demand}\n" STRATEGIES,
     true, false},
    {"no work",
     HEAD "workloads: {main: {kind: training, hours: 0h, checkpoint: {every: auto}}}\n" STRATEGIES,
     false, false},
    {"one world",
     HEAD "workloads: {main: {kind: training, hours: 90h, checkpoint: {every: auto}}}\n" STRATEGIES,
     false, false},
};

static double cell(const struct table *t, size_t row, const char *column)
{
    return table_number(t, row, (size_t)table_find(t, column));
}

static bool is(const struct table *t, size_t row, const char *column, const char *text)
{
    return strcmp(table_text(t, row, (size_t)table_find(t, column)), text) == 0;
}

/* The plan world of every strategy, its spend and its node-hours inside the horizon. */
static void assert_timeline(const struct run *run, const struct table *t, size_t strategy)
{
    const char *name = study_strategy_name(run->study, strategy);
    const struct metric_cells *plan =
        results_cells(&run->results, run->plan_worlds[strategy], strategy, run->results.workloads);
    double spend = 0, cumulative = 0, node_h[PURCHASE_COUNT] = {0}, mean = 0, mean_cumulative = 0;
    size_t buckets = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        double v = cell(t, r, "plan"), hours = cell(t, r, "bucket_s") / 3600;
        if (!is(t, r, "strategy", name)) {
            continue;
        }
        assert_true(v >= 0 && cell(t, r, "p10") <= cell(t, r, "p50"));
        assert_true(cell(t, r, "p50") <= cell(t, r, "p90"));
        if (is(t, r, "measure", "spend_usd")) {
            spend += v;
            mean += cell(t, r, "mean");
            assert_near(cell(t, r, "bucket_start_s"), (double)buckets * hours * 3600, 0, "start");
            assert_true(table_integer(t, r, (size_t)table_find(t, "time")) ==
                        run->study->scenario->start.unix_s + (int64_t)cell(t, r, "bucket_start_s"));
            buckets++;
        } else if (is(t, r, "measure", "cumulative_usd")) {
            assert_true(v >= cumulative);
            cumulative = v;
            mean_cumulative = cell(t, r, "mean");
        } else {
            node_h[is(t, r, "measure", "spot_nodes") ? PURCHASE_SPOT : PURCHASE_ON_DEMAND] +=
                v * hours;
        }
    }
    assert_int_equal(buckets, run->timeline.frames[strategy].buckets);
    double cash = money_to_double(plan->value[METRIC_CASH].money);
    assert_near(spend, cash, 1e-12 * (double)buckets * fmax(1, cash),
                "spend adds up to the cash cost");
    assert_near(cumulative, cash, 1e-12 * (double)buckets * fmax(1, cash),
                "and so does the running sum");
    assert_near(mean_cumulative, mean, 1e-9 * fmax(1, mean), "and that of the means");
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        double want = 0;
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            want += plan->node_h[p][a];
        }
        bool beyond =
            plan->value[METRIC_TIME_TO_TRAIN].number > run->study->scenario->horizon_s / 3600;
        if (beyond) {
            assert_true(node_h[p] <= want + 1e-9);
        } else {
            assert_near(node_h[p], want, 1e-9 * fmax(1, want), "node-hours");
        }
    }
}

static void assert_bill(const struct run *run, const struct result_tables *t, size_t strategy)
{
    const char *name = study_strategy_name(run->study, strategy);
    size_t all = run->results.workloads;
    uint32_t world = run->plan_worlds[strategy];
    money_t cost = results_cells(&run->results, world, strategy, all)->value[METRIC_COST].money;
    money_t by_month = 0, by_line = 0;
    double node_h = 0;
    for (size_t r = 0; r < table_rows(t->monthly); r++) {
        if (is(t->monthly, r, "strategy", name)) {
            by_month +=
                table_integer(t->monthly, r, (size_t)table_find(t->monthly, "cost_plan_usd"));
        }
    }
    assert_int_equal(by_month, cost);
    for (size_t w = 0; w < all; w++) {
        money_t of_workload = 0;
        for (size_t r = 0; r < table_rows(t->lines); r++) {
            if (is(t->lines, r, "strategy", name) &&
                is(t->lines, r, "workload", study_workload_name(run->study, w))) {
                of_workload +=
                    table_integer(t->lines, r, (size_t)table_find(t->lines, "cost_plan_usd"));
                node_h += fmax(0, cell(t->lines, r, "node_h_plan")); /* others have none */
            }
        }
        assert_int_equal(
            of_workload,
            results_cells(&run->results, world, strategy, w)->value[METRIC_COST].money);
        by_line += of_workload;
    }
    assert_int_equal(by_line, cost);
    assert_near(node_h,
                results_cells(&run->results, world, strategy, all)->value[METRIC_NODE_HOURS].number,
                1e-9 * fmax(1, node_h), "node-hours of lines");
}

/* Means add up too, over months and over lines, where no world was cut off. */
static void assert_means(const struct run *run, const struct result_tables *t, size_t strategy)
{
    const char *name = study_strategy_name(run->study, strategy);
    uint32_t n = run->results.replications;
    double cost = 0, by_month = 0, by_line = 0;
    bool cut = false;
    for (uint32_t i = 0; i < n; i++) {
        cost += run_value(run, strategy, i, METRIC_COST) / n;
        cut = cut || run_value(run, strategy, i, METRIC_FINISHED) <= 0;
    }
    for (size_t r = 0; r < table_rows(t->monthly); r++) {
        by_month += is(t->monthly, r, "strategy", name) ? cell(t->monthly, r, "cost_mean_usd") : 0;
    }
    for (size_t r = 0; r < table_rows(t->lines); r++) {
        by_line += is(t->lines, r, "strategy", name) ? cell(t->lines, r, "cost_mean_usd") : 0;
    }
    if (cut) {
        assert_true(isnan(by_month) && isnan(by_line));
    } else {
        assert_near(by_month, cost, 1e-9 * fmax(1, cost), "means over months");
        assert_near(by_line, cost, 1e-9 * fmax(1, cost), "means over lines");
    }
}

/* What is recorded of every world is its cash cost too, as far as a float can say it. */
static void assert_worlds(const struct run *run, size_t strategy)
{
    const struct timeline *t = &run->timeline;
    for (uint32_t i = 0; i < t->replications; i++) {
        const float *spend = timeline_world(t, i, strategy, TIMELINE_SPEND);
        double sum = 0, cash = run_value(run, strategy, i, METRIC_CASH);
        for (size_t b = 0; b < t->frames[strategy].buckets; b++) {
            sum += (double)spend[b];
        }
        assert_near(sum, cash, 1e-6 * fmax(1, fabs(cash)), "spend of a world");
    }
}

static void plan_worlds_add_up(void **state)
{
    const struct sums_case *c = *state;
    const char *const one[] = {"replications=1", NULL};
    struct study *s = study_from_text(c->text, strcmp(c->name, "one world") == 0 ? one : NULL);
    struct run run;
    struct result_tables t;
    bool beyond = false, cut = false;
    study_run(&run, s, 2);
    assert_true(result_tables_make(&t, &run));
    for (size_t k = 0; k < s->strategy_count; k++) {
        assert_timeline(&run, t.timeline, k);
        assert_bill(&run, &t, k);
        assert_means(&run, &t, k);
        assert_worlds(&run, k);
        for (uint32_t i = 0; i < run.results.replications; i++) {
            const struct metric_cells *all = results_cells(&run.results, i, k, s->workload_count);
            beyond = beyond || all->value[METRIC_COST].money > all->value[METRIC_CASH].money;
            cut = cut || metric_cut(all);
        }
    }
    assert_int_equal(beyond, c->beyond);
    assert_int_equal(cut, c->cut);
    result_tables_release(&t);
    run_release(&run);
    study_free(s);
}

/* ---- the first 2,000 ---- */

static void at_most_2000_worlds_are_recorded(void **state)
{
    (void)state;
    static const char *const sets[] = {"replications=2003", NULL};
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30\nhorizon: 5d\nregion: us-east-1\n"
        "workloads: {job: {kind: training, hours: 1..3h, boot: 0s, checkpoint: continuous}}\n"
        "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n",
        sets);
    struct run run;
    study_run(&run, s, 2);
    assert_int_equal(run.results.replications, 2003);
    assert_int_equal(run.timeline.replications, 2000);
    assert_worlds(&run, 0);
    run_release(&run);
    study_free(s);
}

/* The timeline ends with the work: whatever is paid later is in its last bucket. */
static void what_lasts_longer_than_the_work_is_spent(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-30\nhorizon: 40d\nregion: us-east-1\nreplications: 3\n"
        "account: {usage: {instance: p4d.24xlarge, count: 2, scale: 60..160 %}}\n"
        "workloads: {job: {kind: training, hours: 10..30h, checkpoint: continuous}}\n"
        "charges:\n  - {name: tool, monthly: 200 USD, until: horizon}\n"
        "  - {support: 5 %}\n"
        "strategies:\n"
        "  plan: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
        "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}}\n"
        "  block: {instance: p4d.24xlarge, nodes: 1, buy: capacity-block,\n"
        "    block: {days: 7, instances: 1, price: 15 USD/h}}\n"
        "  own: {instance: p4d.24xlarge, nodes: 1, buy: owned,\n"
        "    owned: {nodes: 1, capital: 9000 USD, life: 1y, staff: 100 USD}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 2);
    assert_true(run_value(&run, 0, 0, METRIC_DISPLACED) < -1000); /* the plan covers others */
    for (size_t k = 0; k < s->strategy_count; k++) {
        assert_worlds(&run, k);
    }
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    enum {
        BUCKETS = sizeof bucket_cases / sizeof bucket_cases[0],
        SUMS = sizeof sums_cases / sizeof sums_cases[0]
    };
    struct CMUnitTest tests[BUCKETS + SUMS + 2] = {
        cmocka_unit_test(at_most_2000_worlds_are_recorded),
        cmocka_unit_test(what_lasts_longer_than_the_work_is_spent)};
    size_t count = 0;
    while (tests[count].test_func != NULL) {
        count++;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        tests[count++] = (struct CMUnitTest){.name = bucket_cases[i].name,
                                             .test_func = buckets_of_a_span,
                                             .initial_state = (void *)(uintptr_t)&bucket_cases[i]};
    }
    for (size_t i = 0; i < SUMS; i++) {
        tests[count++] = (struct CMUnitTest){.name = sums_cases[i].name,
                                             .test_func = plan_worlds_add_up,
                                             .initial_state = (void *)(uintptr_t)&sums_cases[i]};
    }
    return _cmocka_run_group_tests("timeline", tests, count, NULL, NULL);
}
