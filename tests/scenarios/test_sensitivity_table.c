/* SPDX-License-Identifier: GPL-3.0-or-later
 * sensitivity.csv and information.csv where the answer is known: nodes that run by the clock cost
 * hours x price, so that the cost is linear in an uncertain price and has nothing to do with
 * another one. */
#include "scenarios/output/sensitivity_table.h"

#include "engine/gsl_errors.h"
#include "scenarios/output/information_table.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* 2 nodes for 20 days are 960 hours. */
#define HOURS 960.0
#define HEAD                                                                                       \
    "version: 1\nstart: 2025-12-01\nhorizon: 20d\nregion: us-east-1\nreplications: 1000\n"         \
    "market:\n  on-demand:\n    p4d.24xlarge: {price: \"normal(20 USD/h; 2 USD/h)\"}\n"            \
    "    p3dn.24xlarge: {price: 20.5 USD/h}\n    g5.48xlarge: {price: uniform(4 USD/h; 9 "         \
    "USD/h)}\n"
#define TWO_PRICES                                                                                 \
    HEAD "workloads: {w: {kind: usage, nodes: 2, boot: 0s}}\n"                                     \
         "strategies:\n  a: {instance: p4d.24xlarge, buy: on-demand}\n"                            \
         "  b: {instance: p3dn.24xlarge, buy: on-demand}\n"
#define DRAWN "market.on-demand.p4d.24xlarge.price"
#define OTHER "market.on-demand.g5.48xlarge.price"

static double cell(const struct table *t, size_t row, const char *name)
{
    int column = table_find(t, name);
    assert_true(column >= 0);
    return table_number(t, row, (size_t)column);
}

static const char *text_cell(const struct table *t, size_t row, const char *name)
{
    int column = table_find(t, name);
    assert_true(column >= 0);
    return table_text(t, row, (size_t)column);
}

static size_t row_of(const struct table *t, const char *strategy, const char *metric,
                     const char *input)
{
    for (size_t i = 0; i < table_rows(t); i++) {
        if ((strategy == NULL || strcmp(text_cell(t, i, "strategy"), strategy) == 0) &&
            strcmp(text_cell(t, i, "metric"), metric) == 0 &&
            strcmp(text_cell(t, i, "input"), input) == 0) {
            return i;
        }
    }
    fail_msg("no row of %s, %s, %s", strategy, metric, input);
    return 0;
}

static void cost_follows_its_price_alone(void **state)
{
    (void)state;
    struct study *s = study_from_text(TWO_PRICES, NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = sensitivity_table(&run);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 4); /* usage by the clock has no time to train */
    size_t row = row_of(t, "a", "cost_usd", DRAWN);
    assert_string_equal(text_cell(t, row, "input_unit"), "usd_per_hour");
    assert_true(cell(t, row, "rank_correlation") == 1);
    assert_near(cell(t, row, "n"), 1000, 0, "n");
    assert_near(cell(t, row, "metric_p50"), HOURS * cell(t, row, "input_p50"), 0.01, "median");
    /* The median of the lowest and highest fifth is P10 and P90: of 200 worlds the 100th. */
    assert_near(cell(t, row, "metric_when_low"), HOURS * cell(t, row, "input_p10"), 0.01, "low");
    assert_relative(cell(t, row, "metric_when_high"), HOURS * cell(t, row, "input_p90"), 2e-3,
                    "high");
    assert_near(cell(t, row, "input_p90"), 20 + 2 * 1.2816, 0.4, "the price's P90");
    row = row_of(t, "a", "cost_usd", OTHER);
    assert_near(cell(t, row, "rank_correlation"), 0, 4 / sqrt(1000), "unrelated");
    row = row_of(t, "b", "cost_usd", DRAWN); /* always the same cost */
    assert_true(isnan(cell(t, row, "rank_correlation")));
    assert_near(cell(t, row, "metric_when_low"), HOURS * 20.5, 0.01, "constant");
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* Reserved nodes cost the same whatever is run on them, but for the nano-units in which what is
 * covered is rounded piece by piece: an order among those is no effect. */
static void what_is_signed_follows_nothing(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01\nhorizon: 20d\nregion: us-east-1\nreplications: 200\n"
        "workloads: {w: {kind: training, hours: uniform(100h; 300h), boot: 1min..9min,\n"
        "  checkpoint: {every: 2h, write: 2min}}}\n"
        "strategies: {a: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments: [{kind:\n"
        "  reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y, payment: "
        "all-upfront}]}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = sensitivity_table(&run);
    assert_non_null(t);
    double least = HUGE_VAL, most = 0;
    for (uint32_t i = 0; i < run.results.replications; i++) {
        double cost = results_cells(&run.results, i, 0, 1)->value[METRIC_COST].number;
        least = fmin(least, cost);
        most = fmax(most, cost);
    }
    assert_true(most > least); /* or this test sees nothing */
    assert_near(most, least, 1e-6, "rounding alone");
    size_t row = row_of(t, "a", "cost_usd", "workloads.w.hours");
    assert_true(isnan(cell(t, row, "rank_correlation")));
    row = row_of(t, "a", "time_to_train_h", "workloads.w.hours");
    assert_true(cell(t, row, "rank_correlation") > 0.99);
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* A job of 20 to 80 hours, cut at 65: the longest quarter is not finished. Time rises with the
 * hours in every world, the unfinished ones above all. */
static void unfinished_worlds(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01\nhorizon: 65h\nregion: us-east-1\nreplications: 400\n"
        "workloads: {w: {kind: training, hours: uniform(20h; 80h), boot: 0s,\n"
        "  checkpoint: continuous}}\n"
        "strategies: {a: {instance: p4d.24xlarge, nodes: 1, buy: on-demand},\n"
        "  b: {instance: p3dn.24xlarge, nodes: 1, buy: on-demand}}\n",
        NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = sensitivity_table(&run);
    size_t row = row_of(t, "a", "time_to_train_h", "workloads.w.hours");
    double cut = cell(t, row, "censored");
    assert_near(cut, 100, 40, "unfinished"); /* a quarter, 4 standard errors of 9 */
    assert_true(cell(t, row, "rank_correlation") > 0.97);
    assert_true(cell(t, row, "rank_correlation") < 1); /* their own order is not known */
    assert_true(isnan(cell(t, row, "metric_when_high")));
    assert_near(cell(t, row, "metric_when_low"), 26, 2, "short jobs");
    assert_near(cell(t, row, "metric_p50"), cell(t, row, "input_p50") / 3600, 1e-6,
                "half are done");
    struct table *none = information_table(&run);
    assert_int_equal(table_rows(none), 0); /* nothing to choose from */
    table_free(none);
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* Mean costs 960 x 20 and 960 x 20.5; a's has a standard deviation of 1,920: the unit normal loss
 * integral. Knowing the other price is worth nothing; knowing all is knowing the one. */
static void worth_of_knowing_a_price(void **state)
{
    (void)state;
    const double m = -0.5 * HOURS, sd = 2 * HOURS;
    const double want = sd * gsl_ran_ugaussian_pdf(m / sd) + m * gsl_cdf_ugaussian_P(m / sd);
    struct study *s = study_from_text(TWO_PRICES, NULL);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = information_table(&run);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 3);
    size_t one = row_of(t, NULL, "cost_usd", DRAWN), all = row_of(t, NULL, "cost_usd", "all");
    size_t other = row_of(t, NULL, "cost_usd", OTHER);
    double half = 0.5 * (cell(t, one, "value_high") - cell(t, one, "value_low"));
    assert_near(cell(t, one, "value"), want, 2 * half, "4 standard errors");
    assert_true(cell(t, one, "value_low") > 0);
    assert_near(cell(t, all, "value"), cell(t, one, "value"), 0.01 * want, "all");
    assert_true(cell(t, all, "value") >= cell(t, one, "value"));
    assert_true(cell(t, other, "value_low") == 0);
    assert_true(cell(t, other, "value") < 0.2 * want);
    assert_near(cell(t, one, "worlds"), 1000, 0, "worlds");
    assert_near(cell(t, one, "strategies"), 2, 0, "strategies");
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* Who maximises gains as much by knowing: the unit normal loss integral is the same on both sides.
 * Of a quantile the mean cost is taken; what no condition allows is no option. */
static void by_what_is_chosen(void **state)
{
    (void)state;
    static const struct {
        const char *choose;
        size_t rows;
    } cases[] = {{"choose={maximise: cost_usd.mean}", 3},
                 {"choose={minimise: cost_usd.p80}", 3},
                 {"choose={minimise: cost_usd, subject_to: [cost_usd.p90 <= 1 USD]}", 0}};
    const double m = 0.5 * HOURS, sd = 2 * HOURS;
    const double want = sd * gsl_ran_ugaussian_pdf(m / sd) - m * gsl_cdf_ugaussian_Q(m / sd);
    for (size_t i = 0; i < 3; i++) {
        const char *const sets[] = {cases[i].choose, NULL};
        struct study *s = study_from_text(TWO_PRICES, sets);
        struct run run;
        study_run(&run, s, 1);
        struct table *t = information_table(&run);
        assert_int_equal(table_rows(t), cases[i].rows);
        if (cases[i].rows > 0) {
            size_t one = row_of(t, NULL, "cost_usd", DRAWN);
            double half = 0.5 * (cell(t, one, "value_high") - cell(t, one, "value_low"));
            assert_near(cell(t, one, "value"), want, 2 * half, cases[i].choose);
            assert_true(cell(t, one, "value_low") > 0);
        }
        table_free(t);
        run_release(&run);
        study_free(s);
    }
}

static void nothing_uncertain(void **state)
{
    (void)state;
    const char *const sets[] = {DRAWN "=20 USD/h", OTHER "=5 USD/h", "replications=30", NULL};
    struct study *s = study_from_text(TWO_PRICES, sets);
    struct run run;
    study_run(&run, s, 1);
    struct table *t = sensitivity_table(&run), *u = information_table(&run);
    assert_int_equal(table_rows(t), 0);
    assert_int_equal(table_rows(u), 0);
    table_free(t);
    table_free(u);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_follows_its_price_alone),
        cmocka_unit_test(what_is_signed_follows_nothing),
        cmocka_unit_test(unfinished_worlds),
        cmocka_unit_test(worth_of_knowing_a_price),
        cmocka_unit_test(by_what_is_chosen),
        cmocka_unit_test(nothing_uncertain),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("sensitivity_table", tests, NULL, NULL);
}
