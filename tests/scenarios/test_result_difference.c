/* SPDX-License-Identifier: GPL-3.0-or-later
 * What two runs differ by: verdicts, intervals, what cannot be known, and how often the interval
 * holds the truth. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "scenarios/decide/difference_table.h"
#include "scenarios/decide/result_difference.h"
#include "scenarios/study/study.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One strategy with one workload. */
struct side {
    struct results results;
    struct diff_side of;
};

static const char *const strategy_names[] = {"spot", "other"};
static const char *const workload_names[] = {"job"};

static void side_make(struct side *s, uint32_t worlds, size_t strategies)
{
    assert_true(results_init(&s->results, strategies, 1, 0, 0, worlds));
    s->results.replications = worlds;
    for (size_t i = 0; i < (size_t)worlds * strategies * 2; i++) {
        struct metric_cells *c = &s->results.cells[i];
        for (int m = 0; m < METRIC_COUNT; m++) {
            if (metric_table[m].kind != METRIC_MONEY) {
                c->value[m].number = (double)NAN;
            }
        }
        c->value[METRIC_FINISHED].number = 1;
        c->value[METRIC_CANCELLED].number = 0;
    }
    s->of = (struct diff_side){.label = "x",
                               .scenario = "",
                               .currency = "USD",
                               .prices_as_of = "",
                               .version = "",
                               .seed = 1,
                               .results = &s->results,
                               .strategies = strategy_names,
                               .workloads = workload_names};
}

static void set_hours(struct side *s, uint32_t world, double hours)
{
    results_cells(&s->results, world, 0, 1)->value[METRIC_TIME_TO_TRAIN].number = hours;
}

static void cut(struct side *s, uint32_t world)
{
    results_cells(&s->results, world, 0, 1)->value[METRIC_FINISHED].number = 0;
}

static struct diff difference(const struct side *a, const struct side *b, enum objective_stat stat,
                              double quantile)
{
    struct diff d;
    const struct objective o = difference_objective(METRIC_TIME_TO_TRAIN, stat, quantile, NULL);
    assert_true(diff_measure(&a->of, 0, &b->of, 0, &o, &d));
    return d;
}

/* Hours 1 … 10, and in B an hour more in every other world: a mean change of 0.5, sd sqrt(10/36),
 * t of 9 degrees at 97.5 % 2.262157. */
static void a_mean_has_students_interval_of_pairs(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 10, 1);
    side_make(&b, 10, 1);
    for (uint32_t i = 0; i < 10; i++) {
        set_hours(&a, i, i + 1);
        set_hours(&b, i, i + 1 + i % 2);
    }
    struct diff d = difference(&a, &b, OBJECTIVE_MEAN, 0);
    assert_near(d.a, 5.5, 1e-12, "A");
    assert_near(d.b, 6, 1e-12, "B");
    assert_near(d.change, 0.5, 1e-12, "change");
    assert_near(d.share, 0.5 / 5.5, 1e-12, "share");
    assert_near(d.high - d.change, 2.262157 * sqrt(10.0 / 36 / 10), 1e-5, "half width");
    assert_near(d.change - d.low, d.high - d.change, 1e-9, "symmetric");
    assert_int_equal(d.verdict, DIFF_MORE);
    /* The other way about it is the same with the sign turned. */
    struct diff back = difference(&b, &a, OBJECTIVE_MEAN, 0);
    assert_int_equal(back.verdict, DIFF_LESS);
    assert_near(back.low, -d.high, 1e-12, "turned");
    assert_near(back.high, -d.low, 1e-12, "turned");
    results_release(&a.results);
    results_release(&b.results);
}

static void the_same_worlds_are_unchanged(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 20, 1);
    side_make(&b, 30, 1);
    for (uint32_t i = 0; i < 30; i++) {
        if (i < 20) {
            set_hours(&a, i, 3 + 0.1234567 * i);
        }
        /* What a file's six decimals cannot tell apart. */
        set_hours(&b, i, round(1e6 * (3 + 0.1234567 * i)) * 1e-6);
    }
    cut(&a, 7);
    cut(&b, 7);
    const struct diff d = difference(&a, &b, OBJECTIVE_MEAN, 0);
    assert_int_equal(d.verdict, DIFF_SAME);
    assert_int_equal(d.worlds, 20);
    assert_near(d.change, 0, 0, "change");
    assert_true(isnan(d.a)); /* but not known */
    cut(&b, 8);
    assert_int_equal(difference(&a, &b, OBJECTIVE_MEAN, 0).verdict, DIFF_UNKNOWN);
    results_release(&a.results);
    results_release(&b.results);
}

/* B: half of the work is cut off at 100 hours. Its P25 is known, its P90 and mean are not. */
static void unfinished_work_is_unknown_not_less(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 40, 1);
    side_make(&b, 40, 1);
    for (uint32_t i = 0; i < 40; i++) {
        set_hours(&a, i, 200 + i);
        set_hours(&b, i, i < 20 ? 10 + i : 100);
        if (i >= 20) {
            cut(&b, i);
        }
    }
    struct diff d = difference(&a, &b, OBJECTIVE_MEAN, 0);
    assert_int_equal(d.verdict, DIFF_UNKNOWN);
    assert_true(isnan(d.b) && isnan(d.change) && isinf(d.at_most));
    assert_near(d.b_at_least, 0.5 * 19.5 + 50, 1e-9, "at least");
    assert_int_equal(difference(&a, &b, OBJECTIVE_QUANTILE, 0.9).verdict, DIFF_UNKNOWN);
    d = difference(&a, &b, OBJECTIVE_QUANTILE, 0.25);
    assert_int_equal(d.verdict, DIFF_LESS);
    assert_near(d.change, 19 - 209, 1e-9, "change of P25");
    results_release(&a.results);
    results_release(&b.results);
}

/* Neither side has passed the budget in a world that both cut off. At the same cost it is the same
 * world; at another the one may pass it yet and the other not, so that the chance is not known to
 * be the same. */
static void a_budget_not_yet_passed_is_not_the_same(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 20, 1);
    side_make(&b, 20, 1);
    for (uint32_t i = 0; i < 20; i++) {
        struct metric_cells *of_a = results_cells(&a.results, i, 0, 1);
        struct metric_cells *of_b = results_cells(&b.results, i, 0, 1);
        of_a->value[METRIC_OVER_BUDGET].number = of_b->value[METRIC_OVER_BUDGET].number = i < 3;
        of_a->value[METRIC_COST].money = of_b->value[METRIC_COST].money = 100 * MONEY_UNIT;
    }
    const struct objective o = difference_objective(METRIC_OVER_BUDGET, OBJECTIVE_MEAN, 0, NULL);
    struct diff d;
    results_cells(&b.results, 5, 0, 1)->value[METRIC_COST].money = 90 * MONEY_UNIT;
    assert_true(diff_measure(&a.of, 0, &b.of, 0, &o, &d)); /* finished: what it is stays */
    assert_int_equal(d.verdict, DIFF_SAME);
    cut(&a, 7);
    cut(&b, 7);
    assert_true(diff_measure(&a.of, 0, &b.of, 0, &o, &d));
    assert_int_equal(d.verdict, DIFF_SAME);
    results_cells(&b.results, 7, 0, 1)->value[METRIC_COST].money = 90 * MONEY_UNIT;
    assert_true(diff_measure(&a.of, 0, &b.of, 0, &o, &d));
    assert_int_equal(d.verdict, DIFF_UNKNOWN);
    assert_near(d.a_at_least, 3. / 20, 1e-12, "least");
    assert_near(d.at_most, 1. / 20, 1e-12, "one world may part");
    results_release(&a.results);
    results_release(&b.results);
}

static void what_one_side_lacks_is_named(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 5, 1);
    side_make(&b, 5, 1);
    assert_int_equal(difference(&a, &b, OBJECTIVE_MEAN, 0).verdict, DIFF_ABSENT);
    for (uint32_t i = 0; i < 5; i++) {
        set_hours(&b, i, 2);
    }
    struct diff d = difference(&a, &b, OBJECTIVE_MEAN, 0);
    assert_int_equal(d.verdict, DIFF_ONLY_B);
    assert_near(d.b, 2, 1e-12, "B");
    d = difference(&b, &a, OBJECTIVE_MEAN, 0);
    assert_int_equal(d.verdict, DIFF_ONLY_A);
    assert_true(isnan(d.b) && isnan(d.change));
    /* A metric that an older file has no column of. */
    bool has[METRIC_COUNT] = {false};
    b.of.has = has;
    assert_int_equal(difference(&a, &b, OBJECTIVE_MEAN, 0).verdict, DIFF_ABSENT);
    results_release(&a.results);
    results_release(&b.results);
}

static void a_strategy_of_one_side_is_a_row_without_a_metric(void **state)
{
    (void)state;
    struct side a, b;
    side_make(&a, 3, 1);
    side_make(&b, 3, 2);
    struct table *t = difference_table(&a.of, &b.of);
    assert_non_null(t);
    const size_t last = table_rows(t) - 1;
    assert_string_equal(table_text(t, last, 0), "other");
    assert_string_equal(table_text(t, last, (size_t)table_find(t, "metric")), "");
    assert_string_equal(table_text(t, last, (size_t)table_find(t, "verdict")), "only in B");
    assert_string_equal(table_text(t, 0, 0), "spot");
    table_free(t);
    results_release(&a.results);
    results_release(&b.results);
}

/* Over 400 pairs of runs in which nothing changed but noise of each its own, a change is claimed in
 * 5 % of them, within four standard errors (1.1 %): for the mean and for the P90. */
static void a_claim_is_wrong_as_often_as_stated(void **state)
{
    (void)state;
    enum { RUNS = 400, WORLDS = 200 };
    size_t wrong_mean = 0, wrong_p90 = 0;
    struct side a, b;
    side_make(&a, WORLDS, 1);
    side_make(&b, WORLDS, 1);
    for (uint32_t r = 0; r < RUNS; r++) {
        struct random_stream s;
        random_stream_init(&s, (struct random_world){5, r}, random_source("test/noise"));
        for (uint32_t i = 0; i < WORLDS; i++) {
            const double shared = random_normal(&s);
            set_hours(&a, i, 100 + 10 * shared + 3 * random_normal(&s));
            set_hours(&b, i, 100 + 10 * shared + 3 * random_normal(&s));
        }
        const enum diff_verdict mean = difference(&a, &b, OBJECTIVE_MEAN, 0).verdict;
        const enum diff_verdict p90 = difference(&a, &b, OBJECTIVE_QUANTILE, 0.9).verdict;
        wrong_mean += mean != DIFF_UNCLEAR;
        wrong_p90 += p90 != DIFF_UNCLEAR;
    }
    const double error = sqrt(0.05 * 0.95 / RUNS);
    assert_near((double)wrong_mean / RUNS, 0.05, 4 * error, "false claims of the mean");
    assert_near((double)wrong_p90 / RUNS, 0.05, 4 * error, "false claims of the P90");
    results_release(&a.results);
    results_release(&b.results);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_has_students_interval_of_pairs),
        cmocka_unit_test(the_same_worlds_are_unchanged),
        cmocka_unit_test(unfinished_work_is_unknown_not_less),
        cmocka_unit_test(a_budget_not_yet_passed_is_not_the_same),
        cmocka_unit_test(what_one_side_lacks_is_named),
        cmocka_unit_test(a_strategy_of_one_side_is_a_row_without_a_metric),
        cmocka_unit_test(a_claim_is_wrong_as_often_as_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
