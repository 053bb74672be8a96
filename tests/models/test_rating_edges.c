/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rating at its edges, by hand: buckets, months, the horizon inside an hour, the minimum, overflow.
 */
#include "tests/support/rating_world.h"
#include "tests/support/testing.h"

#include "engine/civil_time.h"

#include <string.h>

/* 6 buckets of an hour; a node from 00:30 to 03:30, at 2.00 and from 02:00 on at 4.00. */
static void test_buckets_by_hand(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 2,
                                       .from_us = {0, 2 * HOUR_US},
                                       .price = {2 * MONEY_UNIT, 4 * MONEY_UNIT}}};
    struct bill_memory memory;
    rating_world_set_frame(&w, INT64_C(1772409600), 6 * HOUR_US); /* 2026-03-02 00:00 */
    w.frame.buckets = 6;
    w.frame.bucket_us = HOUR_US;
    double spend[6] = {0}, nodes[PURCHASE_COUNT * 6] = {0};
    struct usage u = {.start_us = HOUR_US / 2,
                      .end_us = 7 * HOUR_US / 2,
                      .activity_us = {3 * HOUR_US},
                      .reason = END_FINISHED};
    struct rating_terms terms = price_steps_terms(&w.steps, PURCHASE_SPOT);
    rating_core_rate(&w.frame, &terms, &u, bill_memory_clear(&memory, &w.frame), spend, nodes);
    static const double want_spend[6] = {1, 2, 4, 2, 0, 0};
    static const double want_nodes[6] = {0.5, 1, 1, 0.5, 0, 0};
    for (int i = 0; i < 6; i++) {
        assert_near(spend[i], want_spend[i], 1e-12, "spend");
        assert_near(nodes[6 * PURCHASE_SPOT + i], want_nodes[i], 1e-12, "nodes");
        assert_near(nodes[6 * PURCHASE_ON_DEMAND + i], 0.0, 0.0, "nodes");
    }
    assert_int_equal(memory.bill.cost, 9 * MONEY_UNIT);

    /* A free record was held, though nothing was spent. */
    u.end_us = u.start_us + HOUR_US / 2;
    u.activity_us[ACTIVITY_USEFUL] = HOUR_US / 2;
    u.reason = END_INTERRUPTED;
    rating_core_rate(&w.frame, &terms, &u, &memory.bill, spend, nodes);
    assert_near(spend[0], 1.0, 1e-12, "spend");
    assert_near(nodes[6 * PURCHASE_SPOT], 1.0, 1e-12, "nodes");
    assert_int_equal(memory.bill.cost, 9 * MONEY_UNIT);
    assert_int_equal(memory.bill.free_us, HOUR_US / 2);
    assert_int_equal(memory.bill.free_worth, MONEY_UNIT);
}

/* Three buckets of an hour under a horizon of five: the last takes the rest. */
static void test_buckets_shorter_than_the_horizon(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {MONEY_UNIT}}};
    struct bill_memory memory;
    rating_world_set_frame(&w, INT64_C(1772409600), 5 * HOUR_US);
    w.frame.buckets = 3;
    w.frame.bucket_us = HOUR_US;
    double spend[4] = {0, 0, 0, -7}, nodes[PURCHASE_COUNT * 3 + 1] = {0};
    struct usage u = {.end_us = 6 * HOUR_US, .activity_us = {6 * HOUR_US}};
    struct rating_terms terms = price_steps_terms(&w.steps, PURCHASE_SPOT);
    rating_core_rate(&w.frame, &terms, &u, bill_memory_clear(&memory, &w.frame), spend, nodes);
    u.start_us = 4 * HOUR_US;
    u.activity_us[0] = 2 * HOUR_US;
    rating_core_rate(&w.frame, &terms, &u, &memory.bill, spend, nodes);
    static const double want[4] = {1, 1, 4, -7};
    for (int i = 0; i < 4; i++) {
        assert_near(spend[i], want[i], 1e-12, "spend");
        assert_near(nodes[3 * PURCHASE_SPOT + i], i < 3 ? want[i] : 0, 1e-12, "nodes");
    }
}

struct month_row {
    const char *name, *start;
    int64_t from_us, to_us;
    money_t month[3];
};

#define HOURS(n)   ((n)*HOUR_US)
#define MINUTES(n) ((n)*60 * MICROSECONDS)

/* 1.00 an hour, so money is hours. */
static const struct month_row month_rows[] = {
    {"months: 29 February of a leap year",
     "2028-02-28T12:00Z",
     0,
     HOURS(72),
     {36 * MONEY_UNIT, 36 * MONEY_UNIT, 0}},
    {"months: no 29 February in 2027",
     "2027-02-28T12:00Z",
     0,
     HOURS(72),
     {12 * MONEY_UNIT, 60 * MONEY_UNIT, 0}},
    {"months: 2100 is no leap year",
     "2100-02-28T12:00Z",
     0,
     HOURS(72),
     {12 * MONEY_UNIT, 60 * MONEY_UNIT, 0}},
    {"months: over New Year, start in the middle of an hour",
     "2026-12-31T22:30Z",
     MINUTES(15),
     HOURS(3),
     {75 * MONEY_UNIT / 60, 90 * MONEY_UNIT / 60, 0}},
    {"months: ends exactly at the month's end",
     "2026-04-30T00:00Z",
     0,
     HOURS(24),
     {24 * MONEY_UNIT, 0, 0}},
    {"months: starts exactly at a month's start",
     "2026-04-30T00:00Z",
     HOURS(24),
     HOURS(25),
     {0, MONEY_UNIT, 0}},
    {"months: a whole month in between",
     "2026-01-31T00:00Z",
     0,
     HOURS(24 * 30),
     {24 * MONEY_UNIT, 28 * 24 * MONEY_UNIT, 24 * MONEY_UNIT}},
    {"months: what lies beyond the last goes to the last",
     "2026-01-31T00:00Z",
     HOURS(24 * 200),
     HOURS(24 * 201),
     {0, 0, 24 * MONEY_UNIT}},
};

static void test_months(void **state)
{
    const struct month_row *row = *state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {MONEY_UNIT}}};
    int64_t start_unix_s;
    assert_true(civil_parse(row->start, &start_unix_s));
    rating_world_set_frame(&w, start_unix_s, HOURS(24 * 365));
    w.frame.months = 3;
    struct bill_memory memory;
    struct usage u = {
        .start_us = row->from_us, .end_us = row->to_us, .activity_us = {row->to_us - row->from_us}};
    rate_one(&w, PURCHASE_ON_DEMAND, &u, bill_memory_clear(&memory, &w.frame));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(memory.month[i], row->month[i]);
    }
    assert_int_equal(memory.bill.cost, row->month[0] + row->month[1] + row->month[2]);
}

/* 1 nano-unit an hour, horizon 40 minutes into the hour: 0.67 inside, nothing more for the rest,
 * and the hour costs one nano-unit in all. */
static void test_horizon_inside_a_clock_hour(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {1}}};
    rating_world_set_frame(&w, INT64_C(1772409600), MINUTES(40));
    struct bill_memory memory;
    struct usage u = {.end_us = HOUR_US, .activity_us = {HOUR_US}, .reason = END_FINISHED};
    rate_one(&w, PURCHASE_SPOT, &u, bill_memory_clear(&memory, &w.frame));
    assert_int_equal(memory.bill.cash, 1);
    assert_int_equal(memory.bill.cost, 1);
    rating_world_set_frame(&w, INT64_C(1772409600), MINUTES(20));
    rate_one(&w, PURCHASE_SPOT, &u, bill_memory_clear(&memory, &w.frame));
    assert_int_equal(memory.bill.cash, 0);
    assert_int_equal(memory.bill.cost, 1);
    assert_int_equal(memory.bill.line[PURCHASE_SPOT][ACTIVITY_USEFUL], 1);
}

/* Neither months nor buckets asked for. */
static void test_bare_frame(void **state)
{
    (void)state;
    struct price_steps steps = {.count = 1, .price = {MONEY_UNIT}};
    struct rating_terms terms = price_steps_terms(&steps, PURCHASE_ON_DEMAND);
    const struct rating_frame frame = {.horizon_us = HOUR_US};
    struct bill b = {0};
    bill_clear(&b, &frame);
    struct usage u = {.end_us = 3 * HOUR_US, .activity_us = {3 * HOUR_US}};
    double nothing[1] = {0};
    rating_core_rate(&frame, &terms, &u, &b, nothing, nothing);
    assert_int_equal(b.cost, 3 * MONEY_UNIT);
    assert_int_equal(b.cash, MONEY_UNIT);
    assert_near(nothing[0], 0.0, 0.0, "no bucket");
}

/* The rest of the minute goes to BOOT, on the record's side of the horizon. */
static void test_minimum_goes_to_boot(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {3600 * MONEY_UNIT}}};
    rating_world_set_frame(&w, INT64_C(1772409600), 45 * MICROSECONDS);
    struct bill_memory memory;
    struct usage u = {.end_us = 45 * MICROSECONDS, .reason = END_HORIZON};
    u.activity_us[ACTIVITY_BOOT] = 30 * MICROSECONDS;
    u.activity_us[ACTIVITY_LOST] = 15 * MICROSECONDS;
    struct bill *b = bill_memory_clear(&memory, &w.frame);
    rate_one(&w, PURCHASE_ON_DEMAND, &u, b);
    assert_int_equal(b->cost, 60 * MONEY_UNIT);
    assert_int_equal(b->cash, 60 * MONEY_UNIT);
    assert_int_equal(b->line[PURCHASE_ON_DEMAND][ACTIVITY_BOOT], 45 * MONEY_UNIT);
    assert_int_equal(b->line[PURCHASE_ON_DEMAND][ACTIVITY_LOST], 15 * MONEY_UNIT);
    assert_int_equal(b->node_us[PURCHASE_ON_DEMAND][ACTIVITY_BOOT], 30 * MICROSECONDS);

    /* Started and stopped at once: a minute. */
    u = (struct usage){.start_us = 7, .end_us = 7, .reason = END_RELEASED};
    b = bill_memory_clear(&memory, &w.frame);
    double spend[WORLD_BUCKETS] = {0}, nodes[PURCHASE_COUNT * WORLD_BUCKETS] = {0};
    struct rating_terms terms = price_steps_terms(&w.steps, PURCHASE_ON_DEMAND);
    rating_core_rate(&w.frame, &terms, &u, b, spend, nodes);
    assert_int_equal(b->cost, 60 * MONEY_UNIT);
    assert_int_equal(b->line[PURCHASE_ON_DEMAND][ACTIVITY_BOOT], 60 * MONEY_UNIT);
    assert_near(spend[0], 60.0, 1e-9, "spend");
    assert_near(nodes[0], 0.0, 0.0, "nodes");

    /* The horizon came at the very launch: it never ran. */
    u.reason = END_HORIZON;
    b = bill_memory_clear(&memory, &w.frame);
    rate_one(&w, PURCHASE_ON_DEMAND, &u, b);
    assert_int_equal(b->cost, 0);
}

static void test_the_minimum_takes_the_last_price(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 2,
                                       .from_us = {0, 20 * MICROSECONDS},
                                       .price = {3600 * MONEY_UNIT, 7200 * MONEY_UNIT}}};
    rating_world_set_frame(&w, INT64_C(1772409600), HOUR_US);
    struct bill_memory memory;
    struct usage u = {.end_us = 20 * MICROSECONDS, .activity_us = {20 * MICROSECONDS}};
    rate_one(&w, PURCHASE_ON_DEMAND, &u, bill_memory_clear(&memory, &w.frame));
    assert_int_equal(memory.bill.cost, 60 * MONEY_UNIT); /* the rise came when it had ended */
    u.end_us = u.activity_us[0] = 30 * MICROSECONDS;
    rate_one(&w, PURCHASE_ON_DEMAND, &u, bill_memory_clear(&memory, &w.frame));
    assert_int_equal(memory.bill.cost, (20 + 2 * 40) * MONEY_UNIT);
}

/* The last instant counts, not the one after it: 90 nano-units an hour, 20 s up to the full hour
 * are 0.5, to even 0; a minute of that hour is 1.5, to even 2. Over two hours it would be 0 + 1. */
static void test_the_minimum_stays_in_the_hour(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {90}}};
    rating_world_set_frame(&w, INT64_C(1772409600), HOURS(2));
    struct bill_memory memory;
    struct usage u = {.start_us = HOUR_US - 20 * MICROSECONDS,
                      .end_us = HOUR_US,
                      .activity_us = {20 * MICROSECONDS}};
    rate_one(&w, PURCHASE_ON_DEMAND, &u, bill_memory_clear(&memory, &w.frame));
    assert_int_equal(memory.bill.cost, 2);
    assert_int_equal(memory.bill.line[PURCHASE_ON_DEMAND][ACTIVITY_BOOT], 2);
}

/* On demand has no first-hour rule, whatever the terms say of it. */
static void test_on_demand_is_never_free(void **state)
{
    (void)state;
    struct price_steps steps = {.count = 1, .price = {MONEY_UNIT}};
    struct rating_terms terms = price_steps_terms(&steps, PURCHASE_ON_DEMAND);
    terms.first_hour_free = true;
    const struct usage u = {.end_us = HOUR_US / 2, .reason = END_INTERRUPTED};
    assert_false(rating_core_is_free(&terms, &u));
    terms.purchase = PURCHASE_SPOT;
    assert_true(rating_core_is_free(&terms, &u));
    terms.first_hour_free = false;
    assert_false(rating_core_is_free(&terms, &u));
}

static void test_overflow_is_told(void **state)
{
    (void)state;
    struct rating_world w = {.steps = {.count = 1, .from_us = {0}, .price = {MONEY_MAX / 2}}};
    rating_world_set_frame(&w, INT64_C(1772409600), HOURS(24 * 300));
    struct bill_memory memory, whole;
    struct usage u = {.end_us = HOURS(2), .activity_us = {HOURS(1), HOURS(1)}};
    struct bill *b = bill_memory_clear(&memory, &w.frame);
    rate_one(&w, PURCHASE_ON_DEMAND, &u, b);
    assert_int_equal(b->cost, MONEY_MAX / 2 * 2);
    assert_false(b->overflow);
    rate_one(&w, PURCHASE_ON_DEMAND, &u, b);
    assert_true(b->overflow);
    assert_int_equal(b->cost, MONEY_MAX);

    bill_memory_clear(&whole, &w.frame);
    assert_false(whole.bill.overflow);
    bill_add(&whole.bill, b, &w.frame);
    assert_true(whole.bill.overflow);
    assert_int_equal(whole.bill.cost, MONEY_MAX);

    /* In one record, over whole hours, over months. */
    u.end_us = u.activity_us[0] = HOURS(24 * 100);
    u.activity_us[1] = 0;
    b = bill_memory_clear(&memory, &w.frame);
    rate_one(&w, PURCHASE_ON_DEMAND, &u, b);
    assert_true(b->overflow);
    assert_int_equal(b->cost, MONEY_MAX);
    struct rating_terms terms = price_steps_terms(&w.steps, PURCHASE_ON_DEMAND);
    assert_int_equal(rating_core_pieces(&terms, &u, 0, NULL, NULL), MONEY_MAX);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_buckets_by_hand),
        cmocka_unit_test(test_buckets_shorter_than_the_horizon),
        cmocka_unit_test(test_horizon_inside_a_clock_hour),
        cmocka_unit_test(test_bare_frame),
        cmocka_unit_test(test_minimum_goes_to_boot),
        cmocka_unit_test(test_the_minimum_takes_the_last_price),
        cmocka_unit_test(test_the_minimum_stays_in_the_hour),
        cmocka_unit_test(test_on_demand_is_never_free),
        cmocka_unit_test(test_overflow_is_told),
    };
    struct CMUnitTest tests[COUNT(fixed) + COUNT(month_rows)];
    memcpy(tests, fixed, sizeof fixed);
    for (size_t i = 0; i < COUNT(month_rows); i++) {
        tests[COUNT(fixed) + i] = (struct CMUnitTest){month_rows[i].name, test_months, NULL, NULL,
                                                      (void *)(uintptr_t)&month_rows[i]};
    }
    return _cmocka_run_group_tests("rating_edges", tests, COUNT(tests), NULL, NULL);
}
