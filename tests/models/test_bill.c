/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bills add up field by field, and a bill that overflowed never looks fine again. */
#include "tests/support/testing.h"

#include "models/billing/bill.h"

enum { MONTHS = 3 };

static const struct rating_frame frame = {.months = MONTHS};

/* Every field another number, so that none is taken for another. */
static void fill(struct bill *b, int64_t base)
{
    int64_t n = base;
    b->cost = n++;
    b->cash = n++;
    b->amortised = n++;
    b->obligation = n++;
    b->free_us = n++;
    b->free_worth = n++;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            b->line[p][a] = n++;
            b->node_us[p][a] = n++;
        }
    }
    for (int i = 0; i < MONTHS; i++) {
        b->month[i] = n++;
    }
    for (int i = 0; b->by_month != NULL && i < BILL_ROWS * MONTHS; i++) {
        b->by_month[i] = n++;
    }
}

static void assert_filled(const struct bill *b, int64_t times, int64_t base)
{
    int64_t n = base;
    assert_int_equal(b->cost, times * n++);
    assert_int_equal(b->cash, times * n++);
    assert_int_equal(b->amortised, times * n++);
    assert_int_equal(b->obligation, times * n++);
    assert_int_equal(b->free_us, times * n++);
    assert_int_equal(b->free_worth, times * n++);
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            assert_int_equal(b->line[p][a], times * n++);
            assert_int_equal(b->node_us[p][a], times * n++);
        }
    }
    for (int i = 0; i < MONTHS; i++) {
        assert_int_equal(b->month[i], times * n++);
    }
    for (int i = 0; b->by_month != NULL && i < BILL_ROWS * MONTHS; i++) {
        assert_int_equal(b->by_month[i], times * n++);
    }
}

static void test_clear_and_add(void **state)
{
    (void)state;
    money_t part_month[MONTHS], whole_month[MONTHS];
    money_t part_rows[BILL_ROWS * MONTHS], whole_rows[BILL_ROWS * MONTHS];
    struct bill part = {.month = part_month, .by_month = part_rows};
    struct bill whole = {.month = whole_month, .by_month = whole_rows};
    fill(&whole, 5);
    whole.overflow = true;
    bill_clear(&whole, &frame);
    assert_filled(&whole, 0, 0);
    assert_false(whole.overflow);
    assert_ptr_equal(whole.month, whole_month);

    fill(&part, 1000);
    for (int i = 1; i <= 3; i++) {
        bill_add(&whole, &part, &frame);
        assert_filled(&whole, i, 1000);
    }
    assert_filled(&part, 1, 1000);
    assert_false(whole.overflow);
}

/* An amount of 7 in the month 1, one of 5 in month 2 behind the horizon. */
static void test_a_charge_goes_everywhere(void **state)
{
    (void)state;
    money_t month[MONTHS], rows[BILL_ROWS * MONTHS];
    struct bill b = {.month = month, .by_month = rows};
    bill_clear(&b, &frame);
    bill_charge(&b, &frame, BILL_SPOT, 1, true, 7);
    bill_charge(&b, &frame, BILL_STORAGE, 2, false, 5);
    assert_int_equal(b.cost, 12);
    assert_int_equal(b.cash, 7);
    assert_int_equal(b.amortised, 7);
    static const money_t by_month[MONTHS] = {0, 7, 5}, inside[MONTHS] = {0, 7, 0};
    for (size_t m = 0; m < MONTHS; m++) {
        assert_int_equal(month[m], by_month[m]);
        assert_int_equal(rows[BILL_ROW_CASH * MONTHS + m], inside[m]);
        assert_int_equal(rows[BILL_ROW_AMORTISED * MONTHS + m], inside[m]);
        assert_int_equal(rows[(BILL_ROW_CATEGORY + BILL_SPOT) * MONTHS + m], inside[m]);
        assert_int_equal(rows[(BILL_ROW_CATEGORY + BILL_STORAGE) * MONTHS + m],
                         by_month[m] - inside[m]);
    }
    /* Who wants no parts gets none. */
    b.by_month = NULL;
    bill_charge(&b, &frame, BILL_SPOT, 0, true, 1);
    assert_int_equal(b.cost, 13);
}

static void test_overflow_spreads(void **state)
{
    (void)state;
    money_t part_month[MONTHS], whole_month[MONTHS];
    struct bill part = {.month = part_month}, whole = {.month = whole_month};
    bill_clear(&part, &frame);
    bill_clear(&whole, &frame);
    part.overflow = true; /* of a part that is not even added */
    bill_add(&whole, &part, &frame);
    assert_true(whole.overflow);
    bill_clear(&part, &frame);
    bill_add(&whole, &part, &frame);
    assert_true(whole.overflow);
}

/* Two bills that are fine each, in one field after the other. */
static void test_every_sum_saturates(void **state)
{
    (void)state;
    money_t part_month[MONTHS], whole_month[MONTHS];
    struct bill part = {.month = part_month}, whole = {.month = whole_month};
    struct {
        int64_t *part, *whole;
    } const sums[] = {
        {&part.cost, &whole.cost},
        {&part.cash, &whole.cash},
        {&part.amortised, &whole.amortised},
        {&part.obligation, &whole.obligation},
        {&part.line[1][2], &whole.line[1][2]},
        {&part.node_us[0][3], &whole.node_us[0][3]},
        {&part.free_us, &whole.free_us},
        {&part.free_worth, &whole.free_worth},
        {&part.month[2], &whole.month[2]},
    };
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        bill_clear(&part, &frame);
        bill_clear(&whole, &frame);
        *sums[i].part = INT64_MAX / 2;
        bill_add(&whole, &part, &frame);
        bill_add(&whole, &part, &frame); /* INT64_MAX - 1 */
        assert_false(whole.overflow);
        *sums[i].part = 1; /* INT64_MAX itself is what saturated sums look like */
        bill_add(&whole, &part, &frame);
        assert_true(whole.overflow);
        assert_int_equal(*sums[i].whole, INT64_MAX);
        bill_add(&whole, &part, &frame);
        assert_int_equal(*sums[i].whole, INT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear_and_add),
        cmocka_unit_test(test_a_charge_goes_everywhere),
        cmocka_unit_test(test_overflow_spreads),
        cmocka_unit_test(test_every_sum_saturates),
    };
    return cmocka_run_group_tests_name("bill", tests, NULL, NULL);
}
