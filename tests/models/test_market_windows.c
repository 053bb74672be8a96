/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_windows.h"
#include "tests/support/testing.h"

#include <math.h>

/* Adjacent at 200 (the same size), then a gap, then larger, then smaller at once. */
static const struct market_window windows[] = {
    {.from_s = 100, .until_s = 200, .paid_until_s = 200, .nodes = 4, .name = "a"},
    {.from_s = 200, .until_s = 300, .paid_until_s = 350, .nodes = 4, .name = "b"},
    {.from_s = 400, .until_s = 500, .paid_until_s = 500, .nodes = 8, .name = "c"},
    {.from_s = 500, .until_s = 600, .paid_until_s = 600, .nodes = 2, .name = "d"},
};
enum { COUNT = sizeof windows / sizeof windows[0] };

struct instant_row {
    double t_s;
    uint32_t nodes;
    double next_s, next_of_two_s; /* change of all, and of at most two nodes */
    double fall_s, open_of_eight_s;
    size_t price;
};

static const struct instant_row instants[] = {
    {0, 0, 100, 100, 300, 400, 0},        {100, 4, 300, 300, 300, 400, 0},
    {199, 4, 300, 300, 300, 400, 0},      {200, 4, 300, 300, 300, 400, 1},
    {300, 0, 400, 400, 500, 400, 1},      {450, 8, 500, 600, 500, 450, 2},
    {500, 2, 600, 600, 600, HUGE_VAL, 3}, {600, 0, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, 3},
};

static void assert_time(double got, double want, const char *what)
{
    if (isinf(want)) {
        assert_true(isinf(got));
    } else {
        assert_near(got, want, 0, what);
    }
}

static void steps_at_every_instant(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        const struct instant_row *r = &instants[i];
        assert_int_equal(market_windows_nodes(windows, COUNT, r->t_s), r->nodes);
        assert_time(market_windows_next_change(windows, COUNT, r->t_s, 100), r->next_s, "next");
        assert_time(market_windows_next_change(windows, COUNT, r->t_s, 2), r->next_of_two_s,
                    "next of two");
        assert_time(market_windows_fall_s(windows, COUNT, r->t_s), r->fall_s, "fall");
        assert_time(market_windows_open_s(windows, COUNT, r->t_s, 8), r->open_of_eight_s, "open");
        assert_int_equal(market_windows_index(windows, COUNT, r->t_s), r->price);
    }
    assert_true(isinf(market_windows_fall_s(NULL, 0, 0)));
    assert_true(isinf(market_windows_open_s(NULL, 0, 0, 1)));
}

/* 4 nodes × 150 s paid, of which 50 s cannot be used, at 36 an hour: 6; or 9 in all, 54 an hour. */
static void price_is_of_what_is_paid(void **state)
{
    (void)state;
    struct market_window w = windows[1];
    money_t total, per_hour;
    w.price = NUMBER_CERTAIN(36);
    w.price.given = true;
    assert_true(market_window_price(&w, NULL, &total, &per_hour));
    assert_int_equal(total, 6 * MONEY_UNIT);
    assert_int_equal(per_hour, 36 * MONEY_UNIT);
    w.price.median = 9;
    w.whole = true;
    assert_true(market_window_price(&w, NULL, &total, &per_hour));
    assert_int_equal(total, 9 * MONEY_UNIT);
    assert_int_equal(per_hour, 54 * MONEY_UNIT);
    w.price.median = 1e10;
    assert_false(market_window_price(&w, NULL, &total, &per_hour));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_at_every_instant),
        cmocka_unit_test(price_is_of_what_is_paid),
    };
    return cmocka_run_group_tests_name("market_windows", tests, NULL, NULL);
}
