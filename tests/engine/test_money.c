/* SPDX-License-Identifier: GPL-3.0-or-later
 * Exact money: rounding half to even on exact products, sticky saturation, exact text, and shares
 * that add up. */
#include "engine/money.h"
#include "tests/support/testing.h"

#include <float.h>
#include <math.h>

struct from_double {
    double units;
    money_t want;
};

static const struct from_double from_doubles[] = {
    {0, 0},
    {-0.0, 0},
    {1, MONEY_UNIT},
    {32.7726, INT64_C(32772600000)},
    {-0.9, -900000000},
    {0.0225, 22500000},
    {9.2e9, INT64_C(9200000000000000000)},
    {-9.2e9, -INT64_C(9200000000000000000)},
    {0x1p-10, 976562},      /* 976,562.5 nano: half, to even */
    {3 * 0x1p-10, 2929688}, /* 2,929,687.5 */
    {-0x1p-10, -976562},
    {0x1p-10 + 0x1p-60, 976563}, /* just above the half: a rounded product would be 976,562.5 */
    {0x1p-10 - 0x1p-60, 976562},
    {4.9e-10, 0},
    {5.1e-10, 1},
    {DBL_TRUE_MIN, 0},
    {-DBL_MIN, 0},
    {123456789.123456789, INT64_C(123456789123456791)}, /* the double's own exact value */
};

static void doubles_are_rounded_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof from_doubles / sizeof from_doubles[0]; i++) {
        money_t got = -1;
        assert_true(money_from_double(from_doubles[i].units, &got));
        assert_int_equal(got, from_doubles[i].want);
    }
}

static void impossible_doubles_are_refused(void **state)
{
    (void)state;
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 9.2000001e9, -9.2000001e9, DBL_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        money_t got = 42;
        assert_false(money_from_double(bad[i], &got));
        assert_int_equal(got, 42);
    }
}

static void back_to_double(void **state)
{
    (void)state;
    assert_true(money_to_double(INT64_C(32772600000)) == 32.7726);
    assert_true(money_to_double(-1) == -1e-9);
    assert_true(money_to_double(0) == 0);
}

struct time_row {
    money_t rate;
    int64_t us;
    money_t want;
};

static const struct time_row time_rows[] = {
    {INT64_C(32772600000), HOUR_US, INT64_C(32772600000)},
    {INT64_C(32772600000), 60 * MICROSECONDS, 546210000},
    {1, HOUR_US / 2, 0}, /* half a nano: to even */
    {3, HOUR_US / 2, 2}, /* one and a half */
    {5, HOUR_US / 2, 2}, /* two and a half */
    {-1, HOUR_US / 2, 0},
    {-3, HOUR_US / 2, -2},
    {1, HOUR_US / 2 + 1, 1},
    {1, HOUR_US / 2 - 1, 0},
    {3, -HOUR_US / 2, -2},
    {0, INT64_MAX, 0},
    {INT64_C(9200000000000000000), HOUR_US, INT64_C(9200000000000000000)},
    {INT64_C(9200000000000000000), 2 * HOUR_US, MONEY_MAX},
    {-INT64_C(9200000000000000000), INT64_MAX, -MONEY_MAX},
    {1000, INT64_MAX, INT64_C(2562047788015)}, /* 2562047788015.2 */
};

static void time_at_a_rate(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof time_rows / sizeof time_rows[0]; i++) {
        assert_int_equal(money_for_time(time_rows[i].rate, time_rows[i].us), time_rows[i].want);
    }
}

static void shares_round_half_to_even(void **state)
{
    (void)state;
    assert_int_equal(money_share(1, 1, 2), 0);
    assert_int_equal(money_share(3, 1, 2), 2);
    assert_int_equal(money_share(-3, 1, 2), -2);
    assert_int_equal(money_share(-5, 1, 2), -2);
    assert_int_equal(money_share(7, 3, 2), 10); /* 10.5 */
    assert_int_equal(money_share(100, 1, 3), 33);
    assert_int_equal(money_share(100, 2, 3), 67);
    assert_int_equal(money_share(INT64_C(9000000000000000000), INT64_MAX - 1, INT64_MAX),
                     INT64_C(8999999999999999999)); /* … 999.02 */
    assert_int_equal(money_share(INT64_C(9000000000000000000), 2, 1), MONEY_MAX);
    assert_int_equal(money_share(5, 0, 7), 0);
}

static void shares_of_a_running_sum_add_up(void **state)
{
    (void)state;
    const int64_t parts[] = {1, 5, 0, 17, 3600000000, 7, 333333333, 2, 11};
    const money_t totals[] = {0, 1, 7, 999999999, INT64_C(123456789012345), -INT64_C(98765432101)};
    int64_t whole = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        whole += parts[i];
    }
    for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++) {
        money_t sum = 0;
        money_t before = 0;
        int64_t running = 0;
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            running += parts[i];
            money_t upto = money_share(totals[t], running, whole);
            assert_true(money_add(&sum, upto - before));
            before = upto;
        }
        assert_int_equal(sum, totals[t]);
    }
}

static void saturation_sticks(void **state)
{
    (void)state;
    money_t a = INT64_C(9000000000000000000);
    assert_true(money_add(&a, 5));
    assert_int_equal(a, INT64_C(9000000000000000005));
    assert_false(money_add(&a, a));
    assert_int_equal(a, MONEY_MAX);
    assert_false(money_add(&a, -INT64_C(9000000000000000000)));
    assert_int_equal(a, MONEY_MAX);
    assert_true(money_overflowed(a));

    money_t b = 3;
    assert_false(money_add(&b, MONEY_MAX));
    assert_int_equal(b, MONEY_MAX);
    money_t c = -INT64_C(9000000000000000000);
    assert_false(money_add(&c, c));
    assert_int_equal(c, -MONEY_MAX);
    money_t d = 3;
    assert_false(money_add(&d, -MONEY_MAX));
    assert_int_equal(d, -MONEY_MAX);

    assert_int_equal(money_share(MONEY_MAX, 1, 1000), MONEY_MAX);
    assert_int_equal(money_share(-MONEY_MAX, 1, 1000), -MONEY_MAX);
    assert_int_equal(money_for_time(MONEY_MAX, 1), MONEY_MAX);
    assert_int_equal(money_times(MONEY_MAX, -2), -MONEY_MAX);
    assert_int_equal(money_times(-MONEY_MAX, -2), MONEY_MAX);
    assert_int_equal(money_times(MONEY_MAX, 0), 0);
    assert_false(money_overflowed(MONEY_MAX - 1));
    assert_false(money_overflowed(-MONEY_MAX + 1));
    assert_true(money_overflowed(INT64_MIN));
}

static void products_saturate(void **state)
{
    (void)state;
    assert_int_equal(money_times(INT64_C(3000000000), 7), INT64_C(21000000000));
    assert_int_equal(money_times(INT64_C(3000000000), -7), -INT64_C(21000000000));
    assert_int_equal(money_times(INT64_C(4611686018427387904), 2), MONEY_MAX);
    assert_int_equal(money_times(-INT64_C(4611686018427387905), 2), -MONEY_MAX);
    assert_int_equal(money_times(INT64_C(9000000000000000000), INT64_MIN), -MONEY_MAX);
}

struct text_row {
    money_t m;
    const char *want;
};

static const struct text_row text_rows[] = {
    {0, "0.00"},
    {1, "0.000000001"},
    {-1, "-0.000000001"},
    {10000000, "0.01"},
    {12000000, "0.012"},
    {900000000, "0.90"},
    {MONEY_UNIT, "1.00"},
    {-MONEY_UNIT, "-1.00"},
    {INT64_C(32772600000), "32.7726"},
    {INT64_C(100000000000), "100.00"},
    {INT64_C(488000123456789), "488000.123456789"},
    {-INT64_C(12500000000), "-12.50"},
    {MONEY_MAX, "9223372036.854775807"},
    {INT64_MIN, "-9223372036.854775808"},
};

static void text_is_exact(void **state)
{
    const struct text_row *row = *state;
    char out[32];
    assert_string_equal(money_text(row->m, out), row->want);
}

static void seconds_to_microseconds(void **state)
{
    (void)state;
    assert_int_equal(microseconds(0), 0);
    assert_int_equal(microseconds(1.5), 1500000);
    assert_int_equal(microseconds(3600), HOUR_US);
    assert_int_equal(microseconds(0.1), 100000);
    assert_int_equal(microseconds(0x1p-7), 7812);      /* 7,812.5: to even */
    assert_int_equal(microseconds(3 * 0x1p-7), 23438); /* 23,437.5 */
    assert_int_equal(microseconds(-0x1p-7), -7812);
    assert_int_equal(microseconds(86400 * 365.25 * 10), INT64_C(315576000000000));
    assert_int_equal(microseconds(1e300), INT64_MAX);
    assert_int_equal(microseconds(HUGE_VAL), INT64_MAX);
    assert_int_equal(microseconds(-1e300), -INT64_MAX);
    assert_int_equal(microseconds((double)NAN), INT64_MAX);
}

#define TEXT_ROWS (sizeof text_rows / sizeof text_rows[0])

int main(void)
{
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(doubles_are_rounded_once),
        cmocka_unit_test(impossible_doubles_are_refused),
        cmocka_unit_test(back_to_double),
        cmocka_unit_test(time_at_a_rate),
        cmocka_unit_test(shares_round_half_to_even),
        cmocka_unit_test(shares_of_a_running_sum_add_up),
        cmocka_unit_test(saturation_sticks),
        cmocka_unit_test(products_saturate),
        cmocka_unit_test(seconds_to_microseconds),
    };
    struct CMUnitTest tests[TEXT_ROWS + sizeof fixed / sizeof fixed[0]];
    size_t n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        tests[n++] = fixed[i];
    }
    for (size_t i = 0; i < TEXT_ROWS; i++) {
        tests[n++] = (struct CMUnitTest){text_rows[i].want, text_is_exact, NULL, NULL,
                                         (void *)&text_rows[i]};
    }
    return _cmocka_run_group_tests("money", tests, n, NULL, NULL);
}
