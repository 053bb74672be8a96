/* SPDX-License-Identifier: GPL-3.0-or-later
 * Largest remainders, by hand and by their properties. */
#include "engine/money_split.h"

#include "tests/support/testing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { PARTS = 7 };

/* 10 votes over 47, 16, 15.8, 12, 6.1, 3.1 of 100 (in tenths): the textbook example of Hamilton's
 * method gives 5, 2, 1, 1, 1, 0. */
static void seats_of_a_parliament(void **state)
{
    (void)state;
    const money_t votes[6] = {47000, 16000, 15800, 12000, 6100, 3100};
    const money_t want[6] = {5, 2, 1, 1, 1, 0};
    money_t parts[6];
    struct money_part scratch[6];
    assert_true(money_split(10, votes, 6, parts, scratch));
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(parts[i], want[i]);
    }
}

static void nothing_to_go_by(void **state)
{
    (void)state;
    const money_t weights[3] = {0, -5, 0};
    money_t parts[3] = {1, 2, 3};
    struct money_part scratch[3];
    assert_false(money_split(10, weights, 3, parts, scratch));
    assert_int_equal(parts[2], 3);
}

static void what_is_taken_off_is_split_alike(void **state)
{
    (void)state;
    const money_t weights[3] = {1, 1, 1};
    money_t parts[3];
    struct money_part scratch[3];
    assert_true(money_split(-100, weights, 3, parts, scratch));
    assert_int_equal(parts[0], -34);
    assert_int_equal(parts[1], -33);
    assert_int_equal(parts[2], -33);
}

/* The largest amounts and weights: products of 126 bits. */
static void large_amounts_add_up(void **state)
{
    (void)state;
    const money_t weights[3] = {MONEY_MAX - 1, MONEY_MAX - 2, 1};
    money_t parts[3];
    struct money_part scratch[3];
    assert_true(money_split(MONEY_MAX - 1, weights, 3, parts, scratch));
    assert_true(parts[0] + parts[1] + parts[2] == MONEY_MAX - 1);
    assert_true(llabs(parts[0] - parts[1]) <= 1);
}

static void parts_add_up_and_are_near_their_shares(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    for (int round = 0; round < 2000; round++) {
        money_t weights[PARTS], parts[PARTS], sum = 0;
        struct money_part scratch[PARTS];
        double all = 0;
        for (size_t i = 0; i < PARTS; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            weights[i] = (money_t)(x >> (40 + round % 20)) - 3;
            all += weights[i] > 0 ? (double)weights[i] : 0;
        }
        const money_t total = (money_t)(x % 1000003);
        if (!money_split(total, weights, PARTS, parts, scratch)) {
            assert_true(all <= 0);
            continue;
        }
        for (size_t i = 0; i < PARTS; i++) {
            double exact = weights[i] > 0 ? (double)total * (double)weights[i] / all : 0;
            assert_true(fabs((double)parts[i] - exact) < 1);
            sum += parts[i];
        }
        assert_int_equal(sum, total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats_of_a_parliament),
        cmocka_unit_test(nothing_to_go_by),
        cmocka_unit_test(what_is_taken_off_is_split_alike),
        cmocka_unit_test(large_amounts_add_up),
        cmocka_unit_test(parts_add_up_and_are_near_their_shares),
    };
    return cmocka_run_group_tests_name("money split", tests, NULL, NULL);
}
