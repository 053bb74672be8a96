/* SPDX-License-Identifier: GPL-3.0-or-later
 * Savings-plan rates that are assumed from reserved prices: drawn per world, rated per world, and
 * never the reason of a choice. */
#include "engine/gsl_errors.h"
#include "models/commitments/savings_rates.h"
#include "scenarios/output/focus_export.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/rate_doubt.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD          "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 200\n"
#define P4D_ON_DEMAND 21.957642 /* us-east-1, since 2025-06-05 */
/* 1-year no-upfront, ec2instances.info 2025-11-30 */
#define P4D_STANDARD    13.921094
#define P4D_CONVERTIBLE 16.705312
#define JOB             "{kind: training, hours: 100h, boot: 0s, checkpoint: continuous}"

/* The factor drawn in each world, by the simulator itself. */
static void draw_factors(const struct study *s, double *factors, uint32_t worlds)
{
    int input = inputs_find(s->scenario->inputs, SAVINGS_FACTOR_INPUT);
    struct simulation *sim = simulation_new(s);
    assert_true(input >= 0);
    for (uint32_t i = 0; i < worlds; i++) {
        assert_true(simulation_begin_world(sim, i));
        factors[i] = simulation_drawn(sim)[input];
    }
    simulation_free(sim);
}

/* 20 USD/h cover 20 / (reserved × factor) of two nodes in each of 100 hours. */
static void each_world_has_its_rate(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {job: " JOB "}\n"
             "strategies:\n"
             "  family: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
             "    {kind: ec2-instance-savings-plan, family: p4d, hourly: 20 USD/h, term: 1y,\n"
             "     rate: as-reserved}}\n"
             "  compute: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
             "    {kind: compute-savings-plan, hourly: 20 USD/h, term: 1y, rate: as-reserved}}\n",
        NULL);
    struct run run;
    double factors[200], low = 2, high = 0, sum = 0;
    study_run(&run, s, 2);
    draw_factors(s, factors, 200);
    for (uint32_t i = 0; i < 200; i++) {
        static const double reserved[] = {P4D_STANDARD, P4D_CONVERTIBLE};
        for (size_t k = 0; k < 2; k++) {
            double nodes = 20 / (reserved[k] * factors[i]);
            assert_near(run_value(&run, k, i, METRIC_ON_DEMAND_COST),
                        100 * (2 - nodes) * P4D_ON_DEMAND, 1e-4, "the rest on demand");
            assert_near(run_value(&run, k, i, METRIC_COMMITMENT_USED), 2000, 1e-6, "all is used");
            assert_near(run_value(&run, k, i, METRIC_COMMITMENT_UNUSED), 140 * 20, 1e-6, "lost");
        }
        low = fmin(low, factors[i]);
        high = fmax(high, factors[i]);
        sum += factors[i];
    }
    assert_true(low >= 1 && low < 1.01 && high <= 1.1 && high > 1.09);
    /* uniform from 1.00 to 1.10: standard error of the mean 0.1 / sqrt(12 × 200) = 0.00204 */
    assert_near(sum / 200, 1.05, 4 * 0.00204, "mean");
    assert_int_equal(inputs_count(s->scenario->inputs), 1); /* one for both plans */
    const struct commitment_plan *plan = &s->strategies[0].commitments;
    assert_near(coverage_reach(plan->coverage, 0, 0), 20 / (P4D_STANDARD * 1.05), 1e-6,
                "planning sees the median");
    run_release(&run);
    study_free(s);
}

/* A stated rate of 80 % beside one as reserved of 76.08 % × factor: below a factor of 1.0515 the
 * one has the higher saving and is covered first, above it the other. */
static void the_order_is_that_of_the_world(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {a: " JOB ", b: " JOB "}\n"
             "strategies:\n"
             "  both: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
             "    workloads: {b: {instance: p3.8xlarge}}, commitments:\n"
             "    {kind: compute-savings-plan, hourly: 0.5 USD/h, term: 1y, rate: as-reserved,\n"
             "     rates: {p3.8xlarge: 9.792 USD/h}}}\n",
        NULL); /* p3.8xlarge: 12.24 USD/h on demand */
    struct run run;
    double factors[200];
    size_t first = 0;
    study_run(&run, s, 1);
    draw_factors(s, factors, 200);
    for (uint32_t i = 0; i < 200; i++) {
        double share = fmin(P4D_CONVERTIBLE / P4D_ON_DEMAND * factors[i], 0.8);
        assert_near(run_value(&run, 0, i, METRIC_COVERED), 100 * 0.5 / share, 1e-4, "covered");
        first += share < 0.8;
    }
    assert_true(first > 50 && first < 150); /* about half of the worlds each */
    struct focus_export e;
    struct diagnostics *d = diagnostics_new();
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(focus_export_open(&e, s, 0, i, d)); /* rows add up to the bill */
        focus_export_close(&e);
    }
    diagnostics_free(d);
    run_release(&run);
    study_free(s);
}

static void a_rate_never_passes_the_on_demand_price(void **state)
{
    (void)state;
    const struct savings_rate reserved = {.reserved = 20 * MONEY_UNIT};
    const struct savings_rate stated = {.stated = 25 * MONEY_UNIT};
    assert_int_equal(savings_rate_of(&reserved, 1.05, 30 * MONEY_UNIT), 21 * MONEY_UNIT);
    assert_int_equal(savings_rate_of(&reserved, 1.05, 20500 * (MONEY_UNIT / 1000)),
                     20500 * (MONEY_UNIT / 1000));
    assert_int_equal(savings_rate_of(&stated, 1.05, 20 * MONEY_UNIT), 25 * MONEY_UNIT);
}

/* With every rate stated nothing is assumed and nothing drawn. */
static void stated_rates_need_no_draw(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {a: " JOB "}\n"
             "strategies:\n"
             "  stated: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
             "    {kind: compute-savings-plan, hourly: 8 USD/h, term: 1y, rate: as-reserved,\n"
             "     rates: {p4d.24xlarge: 16 USD/h}}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_int_equal(inputs_count(s->scenario->inputs), 0);
    assert_near(run_value(&run, 0, 7, METRIC_COVERED), 50 * P4D_ON_DEMAND, 1e-6, "half a node");
    run_release(&run);
    study_free(s);
}

#define BUYS(name, commitments)                                                                    \
    "  " name ": {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: [" commitments    \
    "]}\n"
#define RESERVED(count, more)                                                                      \
    "{kind: reserved-instances, instance: p4d.24xlarge, count: " #count ", " more "}"
#define PLAN(hourly, more)                                                                         \
    "{kind: ec2-instance-savings-plan, family: p4d, hourly: " #hourly " USD/h, " more "}"

static void who_may_not_be_chosen_between(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {a: " JOB "}\nstrategies:\n"
             "  plain: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n" /* 0 */
        BUYS("reserved", RESERVED(2, "term: 1y"))                            /* 1 */
        BUYS("assumed", PLAN(28, "term: 1y, rate: as-reserved"))             /* 2 */
        BUYS("stated", PLAN(28, "term: 1y, rates: {p4d.24xlarge: 14 USD/h}"))
            BUYS("longer", RESERVED(2, "term: 3y"))                    /* 4 */
        BUYS("upfront", RESERVED(2, "term: 1y, payment: all-upfront")) /* 5 */
        BUYS("convertible", RESERVED(2, "term: 1y, class: convertible")) BUYS(
            "one of each", RESERVED(1, "term: 1y") ", " PLAN(14, "term: 1y, rate: as-reserved"))
            BUYS("more of both",
                 RESERVED(2, "term: 1y") ", " PLAN(
                     28, "term: 1y, rate: as-reserved")) "  other: {instance: p3.8xlarge, nodes: "
                                                         "1, buy: on-demand, commitments:\n" /* 9 */
                                                         "    {kind: ec2-instance-savings-plan, "
                                                         "family: g5, hourly: 5 USD/h, term: 1y,\n"
                                                         "     rate: as-reserved}}\n",
        NULL);
    static const struct {
        size_t a, b;
        bool doubt;
    } rows[] = {
        {1, 2, true},  {0, 1, false}, {0, 2, false}, {1, 3, false}, {4, 2, false},
        {5, 2, false}, {6, 2, false}, {7, 1, true},  {7, 2, true},  {7, 0, false},
        {8, 1, false}, {8, 2, false}, {8, 7, false}, {9, 1, false}, {9, 2, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rate_doubt(s, rows[i].a, rows[i].b) != rows[i].doubt ||
            rate_doubt(s, rows[i].b, rows[i].a) != rows[i].doubt) {
            fail_msg("row %zu", i);
        }
    }
    study_free(s);
}

static void comparisons_say_what_they_rest_on(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {a: " JOB
             "}\nstrategies:\n" BUYS("reserved", RESERVED(2, "term: 1y"))
                 BUYS("assumed", PLAN(28, "term: 1y, rate: as-reserved"))
                     BUYS("stated", PLAN(28, "term: 1y, rates: {p4d.24xlarge: 14 USD/h}")),
        NULL);
    struct run run;
    struct result_tables tables;
    size_t marked = 0;
    study_run(&run, s, 1);
    assert_true(result_tables_make(&tables, &run));
    const struct table *t = tables.comparison;
    int column = table_find(t, "rests_on");
    assert_true(column >= 0);
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *on = table_text(t, row, (size_t)column);
        bool of_money = strcmp(table_text(t, row, 4), "usd") == 0;
        bool assumed = strcmp(table_text(t, row, 0), "assumed") == 0;
        bool told = on != NULL && strcmp(on, "savings-plan rate") == 0;
        assert_int_equal(told, assumed && of_money);
        marked += told;
    }
    assert_true(marked > 2);
    result_tables_release(&tables);
    run_release(&run);
    study_free(s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *commitment, *says;
        int code;
    } cases[] = {
        {"{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, rate: "
         "as-reserved}",
         "'rate' does not belong", 2},
        {"{kind: compute-savings-plan, hourly: 2 USD/h, term: 1y}", "the catalogue knows none", 2},
        {"{kind: compute-savings-plan, hourly: 2 USD/h, term: 1y, rates: {p5.48xlarge: 9 USD/h}}",
         "or 'rate: as-reserved'", 2},
        {"{kind: compute-savings-plan, hourly: 2 USD/h, term: 1y, rate: as-spot}", "as-reserved",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        int code = 0;
        snprintf(text, sizeof text,
                 HEAD "horizon: 60d\nworkloads: {a: " JOB "}\n"
                      "strategies:\n  a: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
                      "    commitments: [%s]}\n",
                 cases[i].commitment);
        char *what = study_errors(text, &code);
        if (code != cases[i].code || strstr(what, cases[i].says) == NULL) {
            fail_msg("%s: exit %d, %s", cases[i].commitment, code, what);
        }
        free(what);
    }
    /* p5.48xlarge has no 1-year standard offers: what exists is said. */
    int code = 0;
    char *what = study_errors(
        HEAD "horizon: 60d\nworkloads: {a: " JOB "}\n"
             "strategies:\n  a: {instance: p5.48xlarge, nodes: 1, buy: on-demand, commitments:\n"
             "    {kind: ec2-instance-savings-plan, family: p5, hourly: 2 USD/h, term: 1y,\n"
             "     rate: as-reserved}}\n",
        &code);
    assert_int_equal(code, 4);
    assert_non_null(strstr(what, "'rate: as-reserved' has nothing to go by for 'p5.48xlarge'"));
    assert_non_null(strstr(what, "there are: 1-year convertible"));
    free(what);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_world_has_its_rate),
        cmocka_unit_test(the_order_is_that_of_the_world),
        cmocka_unit_test(a_rate_never_passes_the_on_demand_price),
        cmocka_unit_test(stated_rates_need_no_draw),
        cmocka_unit_test(who_may_not_be_chosen_between),
        cmocka_unit_test(comparisons_say_what_they_rest_on),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("savings-plan rates as reserved", tests, NULL, NULL);
}
