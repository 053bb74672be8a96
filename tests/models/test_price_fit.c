/* SPDX-License-Identifier: GPL-3.0-or-later
 * The price of traces worked out by hand. */
#include "models/market/price_fit.h"
#include "tests/support/testing.h"

#include <math.h>

#define HOUR 3600.0
#define USD  INT64_C(1000000000)

/* 1 for 100 h, 2 for 100 h. Of 153 starts 53 and 53 see no change; those from 53 h to 99 h see
 * (start - 52)/48 more than at their begin. The 77th is 0, the 138th of all the 32nd of these. */
static void one_step(void **state)
{
    (void)state;
    struct trace_step steps[] = {{0, 1, USD, false}, {100 * HOUR, 1, 2 * USD, false}};
    struct trace t = {.steps = steps, .count = 2, .end_s = 200 * HOUR, .has_price = true};
    struct price_fit f;
    assert_true(price_fit_make(&f, &t));
    assert_near(f.mean, 1.5, 1e-12, "mean");
    assert_near(f.least, 1, 0, "least");
    assert_near(f.most, 2, 0, "most");
    assert_near(f.last, 2, 0, "last");
    assert_int_equal(f.changes, 1);
    assert_true(f.over_short.known);
    assert_near(f.over_short.median, 0, 1e-12, "median");
    assert_near(f.over_short.p90, 32.0 / 48, 1e-9, "P90");
    assert_false(f.over_long.known); /* 200 h are less than 30 days */
}

/* Unknown at first: it counts from the first price on; later the last known price holds, and one
 * that is told again is no change. */
static void what_is_not_known(void **state)
{
    (void)state;
    struct trace_step steps[] = {{0, 1, TRACE_UNKNOWN, false},
                                 {10 * HOUR, 1, 3 * USD, false},
                                 {20 * HOUR, TRACE_UNKNOWN, TRACE_UNKNOWN, true},
                                 {30 * HOUR, 0, 3 * USD, false},
                                 {40 * HOUR, 1, USD, false}};
    struct trace t = {.steps = steps, .count = 5, .end_s = 50 * HOUR, .has_price = true};
    struct price_fit f;
    assert_true(price_fit_make(&f, &t));
    assert_near(f.observed_s, 40 * HOUR, 0, "observed");
    assert_near(f.mean, (3 * 30 + 10) / 40.0, 1e-12, "mean");
    assert_int_equal(f.changes, 1);
    assert_false(f.over_short.known);
}

/* 1 and 2 in turns of a day, for 60 days: any 48 h, and any 30 days, hold as much of 1 as of 2, 50
 * % above 1 and 25 % below 2. */
static void both_lengths(void **state)
{
    (void)state;
    struct trace_step steps[60];
    for (int day = 0; day < 60; day++) {
        steps[day] = (struct trace_step){day * 24 * HOUR, 1, (day % 2 + 1) * USD, false};
    }
    struct trace t = {.steps = steps, .count = 60, .end_s = 60 * 24 * HOUR, .has_price = true};
    struct price_fit f;
    assert_true(price_fit_make(&f, &t));
    assert_near(f.mean, 1.5, 1e-12, "mean");
    assert_int_equal(f.changes, 59);
    assert_near(f.over_short.p90, 0.5, 1e-9, "P90");
    assert_true(f.over_long.known);
    assert_near(f.over_long.p90, 0.5, 1e-9, "P90 of 30 days");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step),
        cmocka_unit_test(what_is_not_known),
        cmocka_unit_test(both_lengths),
    };
    return cmocka_run_group_tests_name("price fit", tests, NULL, NULL);
}
