/* SPDX-License-Identifier: GPL-3.0-or-later
 * Costs split over those who cause them: small bills by hand, and sums that are the bill's in all
 * of them. */
#include "models/billing/cost_split.h"

#include "tests/support/testing.h"

#include <stdint.h>
#include <stdlib.h>

enum { WORKLOADS = 3, LINES = 2, SLOTS = 2, HOLDERS = WORKLOADS + LINES + 1 };

struct bed {
    money_t own[WORKLOADS], of_line[LINES], of_slot[SLOTS], holders[HOLDERS];
    int64_t slot_us[SLOTS * WORKLOADS];
    struct cost_split split;
};

static void begin(struct bed *b)
{
    b->split.workloads = WORKLOADS;
    b->split.own = b->own;
    b->split.lines = LINES;
    b->split.of_line = b->of_line;
    b->split.slots = SLOTS;
    b->split.of_slot = b->of_slot;
    b->split.slot_us = b->slot_us;
    b->split.whole = 100;
}

static void split(struct bed *b)
{
    struct money_part scratch[WORKLOADS];
    money_t parts[WORKLOADS], sum = 0, want = b->split.shared;
    assert_true(cost_split(&b->split, b->holders, scratch, parts));
    for (size_t i = 0; i < HOLDERS; i++) {
        sum += b->holders[i];
    }
    for (size_t w = 0; w < WORKLOADS; w++) {
        want += b->own[w];
    }
    assert_int_equal(sum, want);
}

static void assert_holders(const struct bed *b, const money_t want[HOLDERS])
{
    for (size_t i = 0; i < HOLDERS; i++) {
        if (b->holders[i] != want[i]) {
            fail_msg("holder %zu: %lld, expected %lld", i, (long long)b->holders[i],
                     (long long)want[i]);
        }
    }
}

/* Own bills 100, 300, 0; 80 are shared: 20 and 60. */
static void in_proportion_to_own_bills(void **state)
{
    (void)state;
    struct bed b = {.own = {100, 300, 0}, .split = {.shared = 80}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){120, 360, 0, 0, 0, 0});
}

/* A commitment covers 90 of what runs in the first slot and costs 40 for it (-50): to workloads 1
 * and 2, which ran there 2 : 1, 33 and 17 to the nearest; its unused 30 to all by their bills. */
static void covered_usage_to_whom_it_covers(void **state)
{
    (void)state;
    struct bed b = {.own = {100, 100, 100},
                    .of_slot = {-50, 0},
                    .slot_us = {0, 200, 100, 7, 0, 0},
                    .split = {.shared = -20}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){110, 77, 93, 0, 0, 0});
}

/* A charge of 50 that is somebody's bears its own support (10 %) and tax (20 % of 55): 66; the rest
 * of the shared bill, 132, goes by own bills. */
static void a_charge_of_somebody_bears_its_own_tax(void **state)
{
    (void)state;
    struct bed b = {.own = {100, 200, 0},
                    .of_line = {50, 0},
                    .split = {.shared = 198, .support = 10, .tax = 20}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){144, 288, 0, 66, 0, 0});
}

static void evenly(void **state)
{
    (void)state;
    struct bed b = {.own = {100, 300, 0},
                    .of_line = {0, 7},
                    .of_slot = {-50, 0},
                    .slot_us = {1, 0, 0, 0, 0, 0},
                    .split = {.rule = SPLIT_EVEN, .shared = 107}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){133, 334, 33, 0, 7, 0});
}

static void kept_apart(void **state)
{
    (void)state;
    struct bed b = {.own = {100, 300, 0},
                    .of_line = {0, 7},
                    .of_slot = {-50, 0},
                    .slot_us = {1, 0, 0, 0, 0, 0},
                    .split = {.rule = SPLIT_KEEP, .shared = 107}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){100, 300, 0, 0, 7, 100});
}

/* Nobody has a bill of their own: what is signed is borne by all alike. */
static void nothing_to_go_by(void **state)
{
    (void)state;
    struct bed b = {.split = {.shared = 10}};
    begin(&b);
    split(&b);
    assert_holders(&b, (money_t[]){3, 4, 3, 0, 0, 0});
}

static void too_much_is_refused(void **state)
{
    (void)state;
    struct bed b = {.own = {MONEY_MAX - 1, 5, 0}, .split = {.shared = 10}};
    struct money_part scratch[WORKLOADS];
    money_t parts[WORKLOADS];
    begin(&b);
    assert_false(cost_split(&b.split, b.holders, scratch, parts));
}

static void random_bills_add_up(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
    for (int round = 0; round < 5000; round++) {
        int64_t v[20];
        for (size_t i = 0; i < 20; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            v[i] = (int64_t)(x >> (14 + round % 40));
        }
        struct bed b = {.own = {v[0], v[1], v[2]},
                        .of_line = {v[3], v[4]},
                        .of_slot = {v[5] - v[6], v[7] - v[8]},
                        .slot_us = {v[9], v[10], v[11], v[12], v[13], 0},
                        .split = {.rule = (enum split_rule)(round % 3),
                                  .shared = v[14] - v[15],
                                  .support = v[16] % 20,
                                  .tax = v[17] % 30}};
        begin(&b);
        split(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_proportion_to_own_bills),
        cmocka_unit_test(covered_usage_to_whom_it_covers),
        cmocka_unit_test(a_charge_of_somebody_bears_its_own_tax),
        cmocka_unit_test(evenly),
        cmocka_unit_test(kept_apart),
        cmocka_unit_test(nothing_to_go_by),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(random_bills_add_up),
    };
    return cmocka_run_group_tests_name("cost split", tests, NULL, NULL);
}
