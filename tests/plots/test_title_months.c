/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every rule of title_months.h, from amounts in which the claim holds and in which it does not. */
#include "tests/support/testing.h"

#include "plots/sentences/title_months.h"
#include "tests/support/sample_study.h"

#include <math.h>
#include <string.h>

#define JANUARY (12 * 2026)

struct bench {
    struct sample_study study;
    struct study_facts facts;
    struct diagnostics *d;
    struct text title;
    struct title_categories months;
    struct title_cash cash;
};

/* "spot" is the cheapest, and stands. */
static int set_up(void **state)
{
    static struct bench b;
    const struct sample_strategy strategies[] = {
        {"on-demand", 3300.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
        {"spot", 1500.0, 0.1, 80.0, 0.1, 0.0, 1.0, 0.0}};
    const struct sample_options options = {
        .worlds = 200, .budget = (double)NAN, .deadline_h = (double)NAN, .horizon_h = 1000.0};

    memset(&b, 0, sizeof b);
    if (!sample_study_init(&b.study, strategies, 2, &options))
        return -1;
    b.d = diagnostics_new();
    text_init(&b.title, 0);
    b.months = (struct title_categories){.axis = {JANUARY, 3},
                                         .total = {200.0, 900.0, 100.0},
                                         .charges = {200.0, 1000.0, 100.0},
                                         .largest = {150.0, 930.0, 100.0},
                                         .category = {"spot nodes", "spot nodes", "fees"},
                                         .means = true};
    b.cash = (struct title_cash){.axis = {JANUARY, 3},
                                 .cash = {1000.0, 1000.0, 1000.0},
                                 .amortised = {100.0, 200.0, 300.0},
                                 .means = true};
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    sample_study_release(&b->study);
    diagnostics_free(b->d);
    text_release(&b->title);
    return 0;
}

static void init_facts(struct bench *b)
{
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    text_clear(&b->title);
}

static const char *months(struct bench *b)
{
    init_facts(b);
    title_months(&b->title, &b->facts, &b->months);
    return b->title.data;
}

/* Of the strategy, the other one paying as it goes. */
static const char *cash(struct bench *b, size_t strategy)
{
    struct title_cash even = b->cash;
    const struct title_cash *of[CHART_STRATEGIES_MAX] = {NULL};

    memcpy(even.amortised, even.cash, sizeof even.cash);
    of[0] = of[1] = &even;
    of[strategy] = &b->cash;
    init_facts(b);
    title_cash(&b->title, &b->facts, of);
    return b->title.data;
}

static void the_dearest_month_and_its_largest_part(void **state)
{
    struct bench *b = *state;

    assert_string_equal(months(b),
                        "spot costs most in Feb 2026: $900 (mean), 93 % of it spot nodes");
    b->months.means = false;
    assert_string_equal(months(b),
                        "spot costs most in Feb 2026: $900 (plan world), 93 % of it spot nodes");
    b->months.total[2] = 950.0;
    assert_string_equal(months(b),
                        "spot costs most in Mar 2026: $950 (plan world), all of it fees");
}

/* 899 is within one in a hundred of 900. */
static void months_that_are_alike_are_not_ranked(void **state)
{
    struct bench *b = *state;

    b->months.total[0] = 899.0;
    assert_string_equal(months(b),
                        "No month of spot stands out: it costs at most $900 a month (mean)");
    b->months.total[0] = 890.0;
    assert_non_null(strstr(months(b), "costs most in Feb 2026"));
}

static void one_month_is_not_the_dearest(void **state)
{
    struct bench *b = *state;

    b->months.axis.count = 1;
    assert_string_equal(months(b), "Spot nodes are 75 % of what spot costs in Jan 2026 (mean)");
    b->months.total[0] = 0.0;
    assert_string_equal(months(b), "spot costs nothing in any month");
}

static void what_is_left_after_the_plan_is_said(void **state)
{
    struct bench *b = *state;

    b->months.later = 52700.0;
    assert_string_equal(months(b), "spot costs most in Feb 2026: $900 (mean), 93 % of it spot "
                                   "nodes; $52,700 more falls after the plan");
}

static void nobody_who_does_not_finish_is_spoken_of(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < 2; i++) {
        sample_set(&b->study, b->study.names[i], "cost_usd", "censored", 24.0);
        sample_set(&b->study, b->study.names[i], "time_to_train_h", "censored", 24.0);
    }
    assert_null(strstr(months(b), "costs most"));
    assert_non_null(strstr(months(b), "No strategy is sure to finish"));
    assert_non_null(strstr(cash(b, 1), "No strategy is sure to finish"));
}

static void cash_ahead_of_use(void **state)
{
    struct bench *b = *state;

    assert_string_equal(cash(b, 1), "spot has paid $900 ahead of its use by the end of Jan 2026 "
                                    "(mean), and still $700 at the end of the plan");
    /* Another strategy than the cheapest. */
    assert_non_null(strstr(cash(b, 0), "on-demand has paid $900 ahead"));
    b->cash.amortised[2] = 998.0;
    assert_string_equal(cash(b, 1), "spot has paid $900 ahead of its use by the end of Jan 2026 "
                                    "(mean), and nothing at the end of the plan");
    /* The most at the end is said once. */
    b->cash.amortised[0] = 990.0;
    b->cash.amortised[1] = 980.0;
    b->cash.amortised[2] = 900.0;
    assert_string_equal(cash(b, 1),
                        "spot has paid $100 ahead of its use by the end of Mar 2026 (mean)");
}

static void who_pays_as_it_goes_is_not_ahead(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < 3; i++)
        b->cash.amortised[i] = 997.0; /* 0.3 % */
    assert_string_equal(cash(b, 1), "No strategy that finishes pays ahead of its use");
    for (size_t i = 0; i < 3; i++)
        b->cash.amortised[i] = 1500.0; /* in arrears */
    assert_string_equal(cash(b, 1), "No strategy that finishes pays ahead of its use");
}

static void months_are_read_strictly(void **state)
{
    (void)state;
    assert_int_equal(month_number("2026-01"), JANUARY);
    assert_int_equal(month_number("2026-12"), JANUARY + 11);
    static const char *const none[] = {"",        "2026-13",    "2026-00", "2026-1",
                                       "2026/01", "2026-01-01", "x026-01"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(month_number(none[i]), -1);
    assert_string_equal(month_words(JANUARY + 2).text, "Mar 2026");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(the_dearest_month_and_its_largest_part),
                                       TEST(months_that_are_alike_are_not_ranked),
                                       TEST(one_month_is_not_the_dearest),
                                       TEST(what_is_left_after_the_plan_is_said),
                                       TEST(nobody_who_does_not_finish_is_spoken_of),
                                       TEST(cash_ahead_of_use),
                                       TEST(who_pays_as_it_goes_is_not_ahead),
                                       TEST(months_are_read_strictly)};

    return cmocka_run_group_tests_name("title_months", tests, NULL, NULL);
}
