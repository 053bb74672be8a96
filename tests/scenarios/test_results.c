/* SPDX-License-Identifier: GPL-3.0-or-later
 * The store of all worlds: slots, columns, the turned block, the plan world. */
#include "scenarios/study/results.h"

#include "scenarios/study/metric_block.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

/* One strategy, one workload: costs in whole units; a negative one is that of a cut world. */
static void fill(struct results *r, const int *costs, uint32_t n)
{
    assert_true(results_init(r, 1, 1, 1, 0, n));
    r->replications = n;
    for (uint32_t i = 0; i < n; i++) {
        for (size_t w = 0; w < 2; w++) {
            struct metric_cells *c = results_cells(r, i, 0, w);
            int cost = costs[i] < 0 ? -costs[i] : costs[i];
            c->value[METRIC_COST].money = cost * MONEY_UNIT;
            c->value[METRIC_FINISHED].number = costs[i] >= 0;
            c->value[METRIC_TIME_TO_TRAIN].number = 10 + i;
            c->value[METRIC_OVER_BUDGET].number = (double)NAN;
        }
    }
}

struct plan_case {
    const char *name;
    uint32_t n;
    int costs[8];
    uint32_t world;
};

static const struct plan_case plan_cases[] = {
    {"none", 0, {0}, UINT32_MAX},
    {"one", 1, {5}, 0},
    {"one, cut", 1, {-5}, 0},
    {"odd number", 5, {9, 1, 5, 7, 3}, 2},
    {"even number: the lower middle", 4, {40, 10, 30, 20}, 3},
    {"first of equals", 6, {9, 5, 1, 5, 5, 9}, 1},
    {"all equal", 4, {7, 7, 7, 7}, 0},
    /* The median is 5, of a cut world; of the finished ones 4 is nearer than 8. */
    {"median is cut", 5, {-5, 1, 4, 8, 9}, 2},
    {"as near below as above: the first", 3, {7, -5, 3}, 0},
    {"one finished among cut ones", 5, {-1, -2, 100, -3, -4}, 2},
    {"all cut", 5, {-9, -1, -5, -7, -3}, 2},
    {"zero cost", 3, {0, 0, 0}, 0},
};

static void plan_world(void **state)
{
    const struct plan_case *c = *state;
    struct results r;
    fill(&r, c->costs, c->n);
    uint32_t world = 12345;
    assert_true(results_plan_world(&r, 0, &world));
    assert_int_equal(world, c->world);
    results_release(&r);
}

static void slots_do_not_overlap(void **state)
{
    (void)state;
    enum { STRATEGIES = 3, WORKLOADS = 2, MONTHS = 4, N = 5 };
    struct results r;
    assert_true(results_init(&r, STRATEGIES, WORKLOADS, MONTHS, 0, N));
    size_t id = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (size_t k = 0; k < STRATEGIES; k++) {
            for (size_t w = 0; w <= WORKLOADS; w++) {
                memset(results_cells(&r, i, k, w), (int)(++id % 251), sizeof(struct metric_cells));
            }
            memset(results_months(&r, i, k), (int)(++id % 251), MONTHS * sizeof(money_t));
        }
    }
    id = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (size_t k = 0; k < STRATEGIES; k++) {
            for (size_t w = 0; w <= WORKLOADS; w++) {
                unsigned char want[sizeof(struct metric_cells)];
                memset(want, (int)(++id % 251), sizeof want);
                assert_memory_equal(results_cells(&r, i, k, w), want, sizeof want);
            }
            unsigned char want[MONTHS * sizeof(money_t)];
            memset(want, (int)(++id % 251), sizeof want);
            assert_memory_equal(results_months(&r, i, k), want, sizeof want);
        }
    }
    size_t one = (size_t)STRATEGIES *
                 ((WORKLOADS + 1) * sizeof(struct metric_cells) + MONTHS * sizeof(money_t));
    assert_true(results_bytes(STRATEGIES, WORKLOADS, MONTHS, 0) >= one);
    results_release(&r);
}

static void a_column_and_the_block_say_the_same(void **state)
{
    (void)state;
    static const int costs[] = {5, -6, 7, -8};
    struct results r;
    struct metric_block b;
    fill(&r, costs, 4);
    assert_true(metric_block_init(&b, 4));
    metric_block_fill(&b, &r, 0, 1);
    for (int m = 0; m < METRIC_COUNT; m++) {
        double values[4];
        unsigned char censored[4];
        size_t count = results_column(&r, 0, 1, (enum metric)m, values, censored);
        assert_memory_equal(values, metric_block_values(&b, (enum metric)m), sizeof values);
        assert_memory_equal(censored, metric_block_censored(&b, (enum metric)m), sizeof censored);
        bool grows = metric_table[m].grows_with_the_end && m != METRIC_OVER_BUDGET;
        assert_int_equal(count, grows ? 2 : 0);
    }
    assert_near(metric_block_values(&b, METRIC_COST)[3], 8, 0, "a bound is its value");
    metric_block_release(&b);
    results_release(&r);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    struct results r;
    assert_false(results_init(&r, SIZE_MAX / 4096, 1, 1, 0, 1000000));
    results_release(&r);
}

int main(void)
{
    enum { PLANS = sizeof plan_cases / sizeof plan_cases[0], OTHERS = 3 };
    struct CMUnitTest tests[PLANS + OTHERS] = {
        cmocka_unit_test(slots_do_not_overlap),
        cmocka_unit_test(a_column_and_the_block_say_the_same),
        cmocka_unit_test(impossible_sizes_are_refused),
    };
    for (size_t i = 0; i < PLANS; i++) {
        tests[OTHERS + i] = (struct CMUnitTest){.name = plan_cases[i].name,
                                                .test_func = plan_world,
                                                .initial_state = (void *)(uintptr_t)&plan_cases[i]};
    }
    return _cmocka_run_group_tests("results", tests, PLANS + OTHERS, NULL, NULL);
}
