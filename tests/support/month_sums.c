/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/month_sums.h"

#include "tests/support/testing.h"

static money_t row_sum(const struct study *s, const money_t *by_month, size_t row)
{
    money_t sum = 0;
    for (size_t m = 0; m < s->frame.months; m++) {
        sum += by_month[row * s->frame.months + m];
    }
    return sum;
}

static money_t category_sum(const struct study *s, const money_t *by_month, enum bill_category c)
{
    return row_sum(s, by_month, BILL_ROW_CATEGORY + (size_t)c);
}

void assert_months_add_up(const struct study *s, const struct metric_cells *all,
                          const money_t *months, const money_t *by_month)
{
    const union metric_value *v = all->value;
    money_t cost = 0;
    for (size_t m = 0; m < s->frame.months; m++) {
        money_t categories = 0;
        for (size_t c = 0; c < BILL_CATEGORY_COUNT; c++) {
            money_t one = by_month[(BILL_ROW_CATEGORY + c) * s->frame.months + m];
            /* Charges and what covers them are rounded piece by piece: nano-units may be over. */
            assert_true(c == BILL_DISCOUNT || c == BILL_DISPLACED ||
                        one >= (c == BILL_ON_DEMAND || c == BILL_RESERVATIONS ? -100 : 0));
            categories += one;
        }
        assert_int_equal(categories, months[m]);
        cost += months[m];
    }
    assert_int_equal(cost, v[METRIC_COST].money);
    assert_int_equal(row_sum(s, by_month, BILL_ROW_CASH), v[METRIC_CASH].money);
    assert_int_equal(row_sum(s, by_month, BILL_ROW_AMORTISED), v[METRIC_AMORTISED].money);
    assert_int_equal(category_sum(s, by_month, BILL_ON_DEMAND), v[METRIC_ON_DEMAND_COST].money);
    assert_int_equal(category_sum(s, by_month, BILL_DISPLACED), v[METRIC_DISPLACED].money);
    assert_int_equal(category_sum(s, by_month, BILL_SPOT), v[METRIC_SPOT_COST].money);
    assert_int_equal(category_sum(s, by_month, BILL_BLOCKS),
                     v[METRIC_BLOCK_USED].money + v[METRIC_BLOCK_UNUSED].money);
    assert_int_equal(category_sum(s, by_month, BILL_OWNED),
                     v[METRIC_OWNED_CAPITAL].money + v[METRIC_OWNED_POWER].money +
                         v[METRIC_OWNED_STAFF].money + v[METRIC_OWNED_COLOCATION].money);
    assert_int_equal(category_sum(s, by_month, BILL_COMMITMENTS_USED),
                     v[METRIC_COMMITMENT_USED].money);
    assert_int_equal(category_sum(s, by_month, BILL_RESERVATIONS),
                     v[METRIC_RESERVATION_IDLE].money);
    assert_int_equal(category_sum(s, by_month, BILL_COMMITMENTS_UNUSED),
                     v[METRIC_COMMITMENT_UNUSED].money);
    assert_int_equal(category_sum(s, by_month, BILL_COMMITMENTS_LATER),
                     v[METRIC_COMMITMENT_LATER].money);
    assert_int_equal(
        category_sum(s, by_month, BILL_STORAGE) + category_sum(s, by_month, BILL_TRANSFER) +
            category_sum(s, by_month, BILL_FEES) + category_sum(s, by_month, BILL_DISCOUNT) +
            category_sum(s, by_month, BILL_SUPPORT) + category_sum(s, by_month, BILL_TAX),
        v[METRIC_OTHER_COST].money - v[METRIC_DISCOUNT].money);
}
