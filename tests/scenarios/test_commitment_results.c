/* SPDX-License-Identifier: GPL-3.0-or-later
 * commitments.csv: what each commitment did over all worlds. */
#include "scenarios/output/commitment_results.h"

#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD      "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"
#define P4D_1Y_NO 13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */
#define RESERVED  "kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y"

static double number(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_number(t, row, (size_t)index);
}

static const char *text(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_text(t, row, (size_t)index);
}

static money_t cell(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_integer(t, row, (size_t)index);
}

/* Three nodes for 300 of 500 days; reserved on day 0, 90 and 182 until day 365, 455 and 547: used
 * 300 of 365, 210 of 365 and 118 of 318 days inside the horizon. */
static void purchases_in_steps(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 500d\n"
             "workloads: {job: {kind: training, hours: 7200h, boot: 0s, checkpoint: continuous}}\n"
             "strategies:\n  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"
             "  ladder: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
             "    commitments: {" RESERVED ", every: 3mo, times: 3}}\n",
        NULL);
    static const double used_d[] = {300, 210, 118}, inside_d[] = {365, 365, 318};
    static const double over[][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    study_run(&run, s, 1);
    struct table *t = commitment_results_table(&run);
    assert_int_equal(table_rows(t), 4);
    for (size_t k = 0; k < 3; k++) {
        double unused_d = inside_d[k] - used_d[k];
        assert_string_equal(text(t, k, "strategy"), "ladder");
        assert_int_equal(cell(t, k, "commitment"), k + 1);
        assert_int_equal(cell(t, k, "purchase"), k + 1);
        assert_int_equal(cell(t, k, "purchases"), 3);
        assert_int_equal(cell(t, k, "count"), 1);
        assert_int_equal(cell(t, k, "end") - cell(t, k, "start"), 365 * 86400);
        assert_near(number(t, k, "signed_usd"), 8760 * P4D_1Y_NO, 1e-6, "signed");
        assert_near(number(t, k, "paid_usd"), 24 * inside_d[k] * P4D_1Y_NO, 1e-6, "paid inside");
        assert_near(number(t, k, "used_mean_usd"), 24 * used_d[k] * P4D_1Y_NO, 1e-6, "used");
        assert_near(number(t, k, "unused_mean_usd"), 24 * unused_d * P4D_1Y_NO, 1e-6, "unused");
        assert_near(number(t, k, "utilisation_mean_frac"), used_d[k] / inside_d[k], 1e-9, "util.");
        assert_near(number(t, k, "coverage_mean_frac"), 1.0 / 3, 1e-9, "one of three nodes");
        assert_near(number(t, k, "covered_h_mean"), 24 * used_d[k], 1e-6, "hours");
        assert_near(number(t, k, "unused_per_hour_usd"), unused_d / inside_d[k] * P4D_1Y_NO, 1e-6,
                    "unused an hour");
        assert_near(number(t, k, "unused_over_10_frac"), over[k][0], 0, "over 10 %");
        assert_near(number(t, k, "unused_over_25_frac"), over[k][1], 0, "over 25 %");
        assert_near(number(t, k, "unused_over_50_frac"), over[k][2], 0, "over 50 %");
    }
    assert_string_equal(text(t, 3, "name"), "all");
    assert_near(number(t, 3, "utilisation_plan_frac"), (300 + 210 + 118) / (365.0 + 365 + 318),
                1e-9, "all");
    assert_near(number(t, 3, "coverage_plan_frac"), (300 + 210 + 118) / 900.0, 1e-9,
                "of three nodes for 300 days");
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* 58 hours of work in a horizon of 48: ten hours of the year are used after it, and paid, though
 * others take over all the rest. */
static void what_is_used_late_is_not_reused(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 48h\n"
             "workloads: {job: {kind: training, hours: 58h, boot: 0s, checkpoint: continuous,\n"
             "                  at_horizon: finish-on-demand}}\n"
             "strategies:\n  reserved: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
             "    commitments: {" RESERVED ", reuse: 100 %}}\n",
        NULL);
    study_run(&run, s, 1);
    struct table *t = commitment_results_table(&run);
    assert_near(number(t, 0, "used_plan_usd"), 58 * P4D_1Y_NO, 1e-6, "used");
    assert_near(number(t, 0, "later_plan_usd"), 0, 0, "later");
    assert_near(run_value(&run, 0, 0, METRIC_COST), 58 * P4D_1Y_NO, 1e-6, "cost");
    assert_near(run_value(&run, 0, 0, METRIC_AMORTISED), 48 * P4D_1Y_NO, 1e-6, "amortised");
    table_free(t);
    run_release(&run);
    study_free(s);
}

#define MIXED                                                                                      \
    "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 60\n"                  \
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"                                   \
    "workloads:\n"                                                                                 \
    "  a: {kind: training, hours: 100..300h, boot: 2min..9min, checkpoint: {every: 1h, write: "    \
    "1min}}\n"                                                                                     \
    "  b: {kind: training, hours: 50..90h, submit: 5d, boot: 2min..9min, checkpoint: "             \
    "continuous,\n"                                                                                \
    "      at_horizon: finish-on-demand}\n"                                                        \
    "strategies:\n"                                                                                \
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "     \
    "yes},\n"                                                                                      \
    "    commitments: [{" RESERVED ", every: 30h, times: 2},\n"                                    \
    "      {kind: compute-savings-plan, hourly: 20 USD/h, term: 3y, payment: partial-upfront,\n"   \
    "       at: 3d, rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %},\n"                              \
    "      {kind: ec2-instance-savings-plan, family: p4d, hourly: 7.5 USD/h, term: 1y,\n"          \
    "       rate: as-reserved}]}\n"                                                                \
    "  spot: {instance: p4d.24xlarge, nodes: 1, buy: spot, commitments: {" RESERVED "}}\n"

/* Rows add up to the lines of the plan world and their means, and to the row of all. */
static void rows_add_up_to_lines(void **state)
{
    (void)state;
    static const char *const activities[] = {"covered", "used", "unused", "later"};
    struct run run;
    struct result_tables tables;
    struct study *s =
        study_from_text(MIXED "horizon: 40d\n", (const char *const[]){"seed=3", NULL});
    study_run(&run, s, 2);
    assert_true(result_tables_make(&tables, &run));
    const struct table *t = tables.commitments, *lines = tables.lines;
    assert_int_equal(table_rows(t), 6); /* 4 and all of them; 1 */
    for (size_t row = 0; row < table_rows(lines); row++) {
        if (strcmp(text(lines, row, "purchase"), "commitment") != 0) {
            continue;
        }
        size_t i = 0;
        while (strcmp(text(lines, row, "activity"), activities[i]) != 0) {
            i++;
        }
        char plan[32], mean[32];
        snprintf(plan, sizeof plan, "%s_plan_usd", activities[i]);
        snprintf(mean, sizeof mean, "%s_mean_usd", activities[i]);
        money_t sum = 0, sign = i == 0 ? -1 : 1;
        double means = 0;
        for (size_t k = 0; k < table_rows(t); k++) {
            bool mine = strcmp(text(t, k, "strategy"), text(lines, row, "strategy")) == 0;
            bool all = strcmp(text(t, k, "name"), "all") == 0;
            sum += mine && !all ? cell(t, k, plan) : 0;
            means += mine && !all ? number(t, k, mean) : 0;
            if (mine && all) {
                assert_int_equal(sum, cell(t, k, plan));
                assert_near(means, number(t, k, mean), 1e-6, "mean of all");
            }
        }
        assert_int_equal(sign * sum, cell(lines, row, "cost_plan_usd"));
        double line = number(lines, row, "cost_mean_usd");
        assert_true(isnan(line) == isnan(means));
        assert_near(isnan(line) ? 0 : line, isnan(means) ? 0 : (double)sign * means, 1e-6, "mean");
    }
    /* spot is covered by nothing: all is lost, and nothing could be covered */
    assert_near(number(t, 5, "utilisation_p90_frac"), 0, 0, "spot alone");
    assert_true(isnan(number(t, 5, "coverage_mean_frac")));
    assert_near(number(t, 5, "unused_over_50_frac"), 1, 0, "all of it");
    result_tables_release(&tables);
    run_release(&run);
    study_free(s);
}

/* Nobody covers more than could be covered, whenever in the hour terms begin. */
static void covered_is_part_of_what_could_be(void **state)
{
    (void)state;
    struct study *s = study_from_text(MIXED "horizon: 12d\n", NULL);
    struct simulation *sim = simulation_new(s);
    bool some = false;
    for (uint32_t world = 0; world < 60; world++) {
        const struct simulation_outputs out = {0};
        assert_true(simulation_begin_world(sim, world) && simulation_run_strategy(sim, 0, &out));
        const struct committed_account *a = simulation_commitments(sim, 0);
        for (size_t k = 0; k < 4; k++) {
            assert_true(a[k].covered_us <= a[k].eligible_us);
            assert_true(a[k].used_inside <= a[k].used && a[k].unused >= 0 && a[k].later >= 0);
            some = some || a[k].covered_us > 0;
        }
        assert_true(a[0].eligible_us >= a[2].eligible_us); /* in force earlier, the same types */
    }
    assert_true(some);
    simulation_free(sim);
    study_free(s);
}

static void nothing_signed_is_no_row(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 10d\nworkloads: {job: {kind: training, hours: 9h, boot: 0s}}\n"
             "strategies:\n  plain: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n",
        NULL);
    study_run(&run, s, 1);
    struct table *t = commitment_results_table(&run);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 0);
    table_free(t);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(purchases_in_steps),
        cmocka_unit_test(what_is_used_late_is_not_reused),
        cmocka_unit_test(rows_add_up_to_lines),
        cmocka_unit_test(covered_is_part_of_what_could_be),
        cmocka_unit_test(nothing_signed_is_no_row),
    };
    return cmocka_run_group_tests_name("commitment results", tests, NULL, NULL);
}
