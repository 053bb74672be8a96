/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rounding once per (rate, clock hour): the fast arithmetic equals the 128-bit one, and the meter
 * equals a loop over the hours. */
#include "tests/support/draws.h"
#include "tests/support/testing.h"

#include "models/billing/clock_hours.h"

#define MINUTE_US (60 * MICROSECONDS)

static void test_part_hour_price_is_money_for_time(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 200000; i++) {
        money_t per_hour = draw_amount(&random, MONEY_MAX - 1);
        int64_t us = draw_amount(&random, HOUR_US);
        assert_int_equal(part_hour_price(per_hour, us), money_for_time(per_hour, us));
    }
    static const money_t rates[] = {0, 1, 3, 8590000000, 32772600000, HOUR_US, MONEY_MAX - 1};
    static const int64_t times[] = {0, 1, 60000000, HOUR_US / 2, HOUR_US - 1, HOUR_US};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
            assert_int_equal(part_hour_price(rates[r], times[t]),
                             money_for_time(rates[r], times[t]));
        }
        assert_int_equal(part_hour_price(rates[r], HOUR_US), rates[r]);
    }
    /* Halves go to the even neighbour: 0.5, 1.5, 2.5. */
    assert_int_equal(part_hour_price(1, HOUR_US / 2), 0);
    assert_int_equal(part_hour_price(3, HOUR_US / 2), 2);
    assert_int_equal(part_hour_price(5, HOUR_US / 2), 2);
}

static void test_share_of_total_is_money_share(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 300000; i++) {
        money_t total = draw_amount(&random, i % 2 ? MONEY_MAX - 1 : INT64_C(1) << 52);
        int64_t whole = 1 + draw_amount(&random, INT64_C(1) << (i % 3 ? 40 : 60));
        int64_t part = draw_amount(&random, whole);
        if (i % 7 == 0) { /* the largest that are taken in doubles */
            total = (INT64_C(1) << 48) + draw_amount(&random, (INT64_C(1) << 48) - 1);
            whole = (INT64_C(1) << 48) + draw_amount(&random, (INT64_C(1) << 48) - 1);
            part = whole - draw_amount(&random, whole);
        }
        if (i % 5 == 0) { /* the dangerous ones: quotients close to an integer or a half */
            total = total / whole * whole + i % 3;
            part = whole - draw_amount(&random, whole < 3 ? whole : 3);
        }
        assert_int_equal(share_of_total(total, part, whole), money_share(total, part, whole));
    }
    assert_int_equal(share_of_total(5, 1, 2), 2); /* 2.5 */
    assert_int_equal(share_of_total(7, 1, 2), 4); /* 3.5 */
    assert_int_equal(share_of_total(0, 1, 2), 0);
    assert_int_equal(share_of_total(MONEY_MAX, 1, 2), MONEY_MAX); /* saturated stays saturated */
}

static void test_whole_hours_cost_the_price(void **state)
{
    (void)state;
    struct hour_meter m;
    hour_meter_init(&m, 0);
    const money_t p4d = INT64_C(32772600001);
    assert_int_equal(hour_meter_add(&m, p4d, 0, 720 * HOUR_US), 720 * p4d);
    /* Half past to half past: two halves of an odd price are rounded apart, each to even. */
    hour_meter_init(&m, 1800);
    assert_int_equal(hour_meter_add(&m, 5, 0, HOUR_US), 4);
    hour_meter_init(&m, 1800);
    assert_int_equal(hour_meter_add(&m, 5, 0, 10 * HOUR_US), 9 * 5 + 2 + 2);
}

/* 1 nano-unit an hour: 20 minutes are 0.33, 40 are 0.67. Rounded apart, two of 20 would be nothing.
 */
static void test_a_rate_that_comes_back_is_summed_first(void **state)
{
    (void)state;
    struct hour_meter m;
    hour_meter_init(&m, 0);
    money_t sum = hour_meter_add(&m, 1, 0, 20 * MINUTE_US);
    assert_int_equal(sum, 0);
    sum += hour_meter_add(&m, 0, 20 * MINUTE_US, 40 * MINUTE_US);
    sum += hour_meter_add(&m, 1, 40 * MINUTE_US, 60 * MINUTE_US);
    assert_int_equal(sum, 1);
    /* The next hour knows nothing of it. */
    assert_int_equal(hour_meter_add(&m, 1, 60 * MINUTE_US, 80 * MINUTE_US), 0);
    /* Another launch neither: the rounding is per launch. */
    hour_meter_init(&m, 0);
    assert_int_equal(hour_meter_add(&m, 1, 0, 20 * MINUTE_US), 0);
    assert_int_equal(hour_meter_add(&m, 1, 20 * MINUTE_US, 20 * MINUTE_US), 0);
}

static void test_cuts_change_no_total(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 20000; i++) {
        money_t per_hour = draw_amount(&random, INT64_C(1000000000000));
        int64_t start_unix_s = INT64_C(1772409600) + draw_amount(&random, 7200);
        int64_t from_us = draw_amount(&random, 10 * HOUR_US);
        int64_t length_us = draw_amount(&random, 5 * HOUR_US), cut_us = from_us;
        struct hour_meter whole, cut;
        hour_meter_init(&whole, start_unix_s);
        hour_meter_init(&cut, start_unix_s);
        money_t sum = 0, want = hour_meter_add(&whole, per_hour, from_us, from_us + length_us);
        for (int n = 0; n < 5; n++) {
            int64_t next_us = cut_us + draw_amount(&random, from_us + length_us - cut_us);
            sum += hour_meter_add(&cut, per_hour, cut_us, next_us);
            struct hour_meter alone;
            hour_meter_init(&alone, start_unix_s);
            assert_int_equal(sum, hour_meter_add(&alone, per_hour, from_us, next_us));
            cut_us = next_us;
        }
        sum += hour_meter_add(&cut, per_hour, cut_us, from_us + length_us);
        assert_int_equal(sum, want);
    }
}

/* More rates in an hour than are remembered: every amount stays within half a nano-unit a visit,
 * and nothing is lost for rates that do not come back. */
static void test_many_rates_in_an_hour(void **state)
{
    (void)state;
    struct hour_meter m;
    hour_meter_init(&m, 0);
    money_t sum = 0, want = 0;
    for (int i = 0; i < 3600; i++) {
        money_t per_hour = INT64_C(1000000000) + i;
        sum += hour_meter_add(&m, per_hour, i * MICROSECONDS, (i + 1) * MICROSECONDS);
        want += money_for_time(per_hour, MICROSECONDS);
    }
    assert_int_equal(sum, want);

    enum { RATES = HOUR_METER_RATES + 8, VISITS = 3600 / RATES };
    hour_meter_init(&m, 0);
    sum = 0, want = 0;
    for (int i = 0; i < VISITS * RATES; i++) {
        sum += hour_meter_add(&m, INT64_C(1000000000) + i % RATES, i * MICROSECONDS,
                              (i + 1) * MICROSECONDS);
    }
    for (int r = 0; r < RATES; r++) {
        want += money_for_time(INT64_C(1000000000) + r, VISITS * MICROSECONDS);
    }
    assert_near((double)sum, (double)want, 0.5 * RATES * VISITS + 0.5 * RATES, "sum");
}

static void test_unused_time_is_summed_with_the_used(void **state)
{
    (void)state;
    struct hour_meter m;
    hour_meter_init(&m, 0);
    /* 30 nano-units an hour: 40 s are 0.33, 20 s more are 0.17; a minute is 0.5, to even 0. */
    money_t used = hour_meter_add(&m, 30, 0, 40 * MICROSECONDS);
    money_t unused = hour_meter_extend(&m, 30, 40 * MICROSECONDS - 1, 20 * MICROSECONDS);
    assert_int_equal(used + unused, part_hour_price(30, MINUTE_US));
    /* 90 an hour: 20 s are 0.5, to even 0; a minute is 1.5, to even 2. */
    hour_meter_init(&m, 0);
    used = hour_meter_add(&m, 90, 0, 20 * MICROSECONDS);
    unused = hour_meter_extend(&m, 90, 20 * MICROSECONDS - 1, 40 * MICROSECONDS);
    assert_int_equal(used, 0);
    assert_int_equal(unused, 2);
}

static void test_too_much_money_is_saturated(void **state)
{
    (void)state;
    struct hour_meter m;
    hour_meter_init(&m, 1800);
    const money_t dear = MONEY_MAX / 2;
    assert_int_equal(hour_meter_add(&m, dear, 0, HOUR_US / 2), part_hour_price(dear, HOUR_US / 2));
    assert_int_equal(hour_meter_add(&m, dear, HOUR_US, 4 * HOUR_US), MONEY_MAX);
    assert_int_equal(hour_meter_add(&m, MONEY_MAX - 1, 5 * HOUR_US, 6 * HOUR_US), MONEY_MAX - 1);
    assert_int_equal(hour_meter_add(&m, MONEY_MAX, 7 * HOUR_US, 7 * HOUR_US + 1), MONEY_MAX);
    assert_int_equal(hour_meter_add(&m, MONEY_MAX, 8 * HOUR_US, 8 * HOUR_US), 0);
    assert_int_equal(hour_meter_extend(&m, MONEY_MAX, 9 * HOUR_US, 1), MONEY_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part_hour_price_is_money_for_time),
        cmocka_unit_test(test_share_of_total_is_money_share),
        cmocka_unit_test(test_whole_hours_cost_the_price),
        cmocka_unit_test(test_a_rate_that_comes_back_is_summed_first),
        cmocka_unit_test(test_cuts_change_no_total),
        cmocka_unit_test(test_many_rates_in_an_hour),
        cmocka_unit_test(test_unused_time_is_summed_with_the_used),
        cmocka_unit_test(test_too_much_money_is_saturated),
    };
    return cmocka_run_group_tests_name("clock_hours", tests, NULL, NULL);
}
