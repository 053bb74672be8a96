/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hardware of one's own from scenario files to the bill, and beside on-demand nodes and blocks. */
#include "engine/gsl_errors.h"
#include "scenarios/output/bill_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* March, April and May: 92 days. */
#define HEAD      "version: 1\nstart: 2026-03-01\nregion: us-east-2\nreplications: 1\nhorizon: 92d\n"
#define JOB(keys) "workloads: {w: {kind: training, " keys "}}\n"
#define OWNED(more)                                                                                \
    "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: owned, owned: {nodes: 4, capital: "   \
    "100000 USD, life: 1000d" more "}}}\n"
#define COSTS ", power_kw: 6.5, pue: 1.2, per_kwh: 0.1 USD, staff: 1000 USD, colocation: 500 USD"

static double value(const struct run *run, enum metric m)
{
    return run_value(run, 0, 0, m);
}

static struct study *run_text(struct run *run, const char *text)
{
    struct study *s = study_from_text(text, NULL);
    study_run(run, s, 1);
    return s;
}

static void finish(struct run *run, struct study *s)
{
    run_release(run);
    study_free(s);
}

/* 400,000 of capital, 36,800 of it written off in 92 of 1,000 days, of the rest half is of use
 * elsewhere; three months of staff and colocation; 4 nodes × 10 h × 6.5 kW × 1.2 × 0.10. */
static void each_line_by_hand(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, HEAD JOB("hours: 10h, boot: 0s") OWNED(COSTS ", reuse: 50 %"));
    const double capital = 400000 - 0.5 * (400000 - 36800), power = 31.2;
    assert_near(value(&run, METRIC_OWNED_CAPITAL), capital, 1e-6, "capital");
    assert_near(value(&run, METRIC_OWNED_POWER), power, 1e-6, "power");
    assert_near(value(&run, METRIC_OWNED_STAFF), 3000, 1e-6, "staff");
    assert_near(value(&run, METRIC_OWNED_COLOCATION), 1500, 1e-6, "colocation");
    assert_near(value(&run, METRIC_COST), capital + power + 4500, 1e-6, "cost");
    assert_near(value(&run, METRIC_CASH), 400000 + power + 4500, 1e-6, "cash");
    assert_near(value(&run, METRIC_AMORTISED), 36800 + power + 4500, 1e-6, "amortised");
    assert_near(value(&run, METRIC_OBLIGATION), 400000, 1e-6, "signed");
    assert_near(value(&run, METRIC_NODE_HOURS), 40, 1e-9, "node-hours");
    const money_t *months = results_months(&run.results, 0, 0);
    assert_near(money_to_double(months[0]), 400 * 31 + 1500 + power, 1e-6, "March");
    assert_near(money_to_double(months[1]), 400 * 30 + 1500, 1e-6, "April");
    finish(&run, s);
}

/* Nobody gives the rest a use: the plan bears all that was signed. */
/* Work that goes on for ten days behind the horizon writes off ten days more: they are the plan's
 * own, and of use to nobody else. */
static void use_behind_the_horizon_is_borne(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD JOB("hours: 2448h, boot: 0s, checkpoint: continuous, "
                                "at_horizon: finish-on-demand") OWNED(", reuse: 100 %"));
    assert_near(value(&run, METRIC_NODE_HOURS), 4 * 2448, 1e-6, "all of it on what is owned");
    assert_near(value(&run, METRIC_OWNED_CAPITAL), 400.0 * 102, 1e-6, "written off");
    assert_near(value(&run, METRIC_COST), 400.0 * 102, 1e-6, "cost");
    finish(&run, s);
}

static void without_reuse_all_is_borne(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, HEAD JOB("hours: 10h, boot: 0s") OWNED(""));
    assert_near(value(&run, METRIC_COST), 400000, 1e-6, "cost");
    finish(&run, s);
}

/* Written off in whole before the horizon: nothing is left to be of use elsewhere. */
static void a_life_may_end_inside(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD JOB("hours: 10h, boot: 0s") "strategies: {s: {instance: p4d.24xlarge, nodes: 1, "
                                               "buy: owned, owned: {nodes: 1, capital: 7000 USD, "
                                               "life: 50d, reuse: 100 %}}}\n");
    assert_near(value(&run, METRIC_COST), 7000, 1e-6, "cost");
    assert_near(value(&run, METRIC_AMORTISED), 7000, 1e-6, "amortised");
    finish(&run, s);
}

/* Delivered on 1 April: the work waits, staff and depreciation begin then. */
static void the_work_waits_for_delivery(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, HEAD JOB("hours: 10h, boot: 0s")
                                         OWNED(COSTS ", reuse: 100 %, available_from: 1mo"));
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 31 * 24 + 10, 1e-6, "time");
    assert_near(value(&run, METRIC_OWNED_CAPITAL), 400 * 61, 1e-6, "capital");
    assert_near(value(&run, METRIC_OWNED_STAFF), 2000, 1e-6, "staff");
    finish(&run, s);
}

/* Four nodes for two jobs of four: one after the other, and bought once. */
static void two_workloads_share_it(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD "workloads: {a: {kind: training, hours: 10h, boot: 0s}, b: {kind: training, "
                   "hours: 10h, boot: 0s}}\n" OWNED(""));
    assert_int_equal(s->strategies[0].owned_count, 1);
    assert_near(value(&run, METRIC_COST), 400000, 1e-6, "cost");
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 20, 1e-6, "time");
    finish(&run, s);
}

static void work_goes_on_beyond_the_horizon(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, "version: 1\nstart: 2026-03-01\nregion: us-east-2\nreplications: "
                       "1\nhorizon: 1d\n" JOB("hours: 30h, boot: 0s, at_horizon: "
                                              "finish-on-demand") OWNED(COSTS));
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 30, 1e-9, "time");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 0, 0, "on demand");
    assert_near(value(&run, METRIC_OWNED_POWER), 4 * 30 * 0.78, 1e-6, "power");
    assert_near(value(&run, METRIC_OWNED_STAFF), 1000.0 / 31, 1e-6, "staff to the horizon");
    finish(&run, s);
}

/* Six nodes by the clock on four that are owned, the rest on demand: power of four, no capital
 * but once, and two nodes rented for ten hours. */
static void a_need_is_filled_from_it_first(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD
                 "workloads: {w: {kind: usage, nodes: [{from: 24h, for: 10h, nodes: 6}], boot: "
                 "0s}}\nstrategies: {s: {instance: p4d.24xlarge, fill: [owned, on-demand], owned: "
                 "{nodes: 4, capital: 100000 USD, life: 1000d" COSTS ", reuse: 50 %}}}\n");
    const double rented = 2 * 10 * 21.95764;
    assert_near(value(&run, METRIC_SERVED), 60, 1e-9, "served");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), rented, 1e-6, "on demand");
    assert_near(value(&run, METRIC_OWNED_POWER), 31.2, 1e-6, "power");
    assert_near(value(&run, METRIC_COST), 400000 - 0.5 * (400000 - 36800) + 31.2 + 4500 + rented,
                1e-6, "cost");
    finish(&run, s);
}

/* One year of training in three ways: rented, in blocks with a rest on demand, and owned; uncertain
 * work, power, capital and prices; tax. */
static const char compared[] =
    "version: 1\nstart: 2026-02-02T05:11Z\nregion: us-east-2\nreplications: 40\nhorizon: 1y\n"
    "charges: [{support: 3 %}, {tax: 19 %}]\n"
    "workloads:\n"
    "  tune: {kind: training, hours: 3000..6000h, boot: 5min,\n"
    "    checkpoint: {every: 6h, write: 60..180s, restore: 4min}}\n"
    "strategies:\n"
    "  on-demand: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}\n"
    "  block:\n"
    "    instance: p4d.24xlarge\n"
    "    nodes: 4\n"
    "    buy: capacity-block\n"
    "    policy: {name: capacity-block, then: on-demand}\n"
    "    block: [{starts: 2d, days: 182, instances: 4}, {extends: yes, days: 28, instances: 4}]\n"
    "  owned:\n"
    "    instance: p4d.24xlarge\n"
    "    nodes: 4\n"
    "    buy: owned\n"
    "    owned: {nodes: 4, capital: 150000..200000 USD, life: 4y, available_from: 2mo,\n"
    "      power_kw: 6.5, pue: 1.2..1.5, per_kwh: 0.10..0.14 USD, staff: 6000 USD,\n"
    "      colocation: 2500 USD, reuse: 80 %}\n";

static void three_ways_add_up_and_compare(void **state)
{
    (void)state;
    struct study *s = study_from_text(compared, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[2];
    money_t *months = calloc(s->frame.months, sizeof *months);
    money_t *by_month = calloc(BILL_ROWS * s->frame.months, sizeof *by_month);
    int cheaper = 0;
    for (uint32_t world = 0; world < 40; world++) {
        double cost[3], spend[30];
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < 3; k++) {
            const struct simulation_outputs out = {.cells = cells,
                                                   .months = months,
                                                   .by_month = by_month,
                                                   .buckets = 30,
                                                   .bucket_us = s->frame.horizon_us / 30,
                                                   .spend_units = spend};
            memset(spend, 0, sizeof spend);
            assert_true(simulation_run_strategy(sim, k, &out));
            const union metric_value *all = cells[1].value;
            assert_months_add_up(s, &cells[1], months, by_month);
            double by_bucket = 0;
            for (size_t b = 0; b < 30; b++) {
                by_bucket += spend[b];
            }
            assert_near(by_bucket, money_to_double(all[METRIC_CASH].money), 1e-4, "timeline");
            cost[k] = money_to_double(all[METRIC_COST].money);
            if (k == 2) { /* neither support nor tax on what one owns */
                assert_int_equal(all[METRIC_OTHER_COST].money, 0);
                assert_true(all[METRIC_OWNED_CAPITAL].money < all[METRIC_OBLIGATION].money);
            }
        }
        cheaper += cost[1] < cost[0];
    }
    /* 14.75 against 21.96 an hour, but paid to the end where the work is short. */
    assert_true(cheaper > 20 && cheaper < 40);
    free(by_month);
    free(months);
    simulation_free(sim);
    study_free(s);
}

static void lines_of_the_file_add_up(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, HEAD JOB("hours: 10h") OWNED(COSTS));
    struct table *t = lines_table(&run);
    int column = table_find(t, "cost_plan_usd");
    double sum = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        sum += table_number(t, i, (size_t)column);
    }
    assert_near(sum, value(&run, METRIC_COST), 1e-6, "lines");
    table_free(t);
    finish(&run, s);
}

struct refusal_row {
    const char *name, *text;
    int code;
    const char *says;
};

static const struct refusal_row refusals[] = {
    {"nothing owned",
     HEAD JOB("hours: 1h") "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: owned}}\n", 2,
     "strategy 's' runs 'w' on hardware of its own but states none; expected 'owned: {nodes: …, "
     "capital: …, life: …}'"},
    {"too few",
     HEAD JOB("hours: 1h") "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: owned, owned: "
                           "{nodes: 3, capital: 1 USD, life: 1y}}}\n",
     4,
     "strategy 's' wants 4 nodes for 'w', but the market has at most 3 nodes of 'p4d.24xlarge' "
     "owned"},
    {"no life",
     HEAD JOB("hours: 1h") "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: owned, owned: "
                           "{nodes: 4, capital: 1 USD}}}\n",
     2, "missing key 'life'"},
    {"delivered too late", HEAD JOB("hours: 1h") OWNED(", available_from: 92d"), 2,
     "the hardware is available at or after the horizon; lengthen 'horizon'"},
    {"owned but not used",
     HEAD JOB("hours: 1h") "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: on-demand, "
                           "owned: {nodes: 4, capital: 1 USD, life: 1y}}}\n",
     2, "strategy 's' has hardware of its own but nothing runs on it; expected 'buy: owned'"},
    {"owned by a workload that does not use it",
     HEAD "workloads: {w: {kind: usage, nodes: 1}}\nstrategies: {s: {workloads: {w: {instance: "
          "p4d.24xlarge, buy: on-demand, owned: {nodes: 4, capital: 1 USD, life: 1y}}}}}\n",
     2, "'w' has hardware of its own but does not run on it; expected 'buy: owned'"},
};

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    int code = 0;
    char *what = study_errors(row->text, &code);
    if (strstr(what, row->says) == NULL) {
        fail_msg("expected: %s\ngot: %s", row->says, what);
    }
    assert_int_equal(code, row->code);
    free(what);
}

int main(void)
{
    gsl_errors_install();
    enum { REFUSALS = sizeof refusals / sizeof refusals[0] };
    const struct CMUnitTest own[] = {
        cmocka_unit_test(each_line_by_hand),
        cmocka_unit_test(use_behind_the_horizon_is_borne),
        cmocka_unit_test(without_reuse_all_is_borne),
        cmocka_unit_test(a_life_may_end_inside),
        cmocka_unit_test(the_work_waits_for_delivery),
        cmocka_unit_test(two_workloads_share_it),
        cmocka_unit_test(work_goes_on_beyond_the_horizon),
        cmocka_unit_test(a_need_is_filled_from_it_first),
        cmocka_unit_test(three_ways_add_up_and_compare),
        cmocka_unit_test(lines_of_the_file_add_up),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + REFUSALS];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[n++] = (struct CMUnitTest){.name = refusals[i].name,
                                         .test_func = refusal,
                                         .initial_state = (void *)(uintptr_t)&refusals[i]};
    }
    return _cmocka_run_group_tests("owned", tests, n, NULL, NULL);
}
