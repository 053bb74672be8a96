/* SPDX-License-Identifier: GPL-3.0-or-later
 * What one more instance costs beside commitments that are full, half full, or empty. */
#include "models/commitments/marginal_price.h"
#include "tests/support/coverage_scene.h"
#include "tests/support/testing.h"

static int set_up(void **state)
{
    static struct coverage_scene scene;
    scene_init(&scene);
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    scene_release(*state);
    return 0;
}

static money_t price(struct coverage_scene *s, const int64_t *by_group, size_t group, int64_t at_us)
{
    int64_t running[SCENE_GROUPS] = {0};
    scene_build(s);
    for (size_t g = 0; g < s->group_count; g++) {
        running[coverage_slot(s->coverage, g)] += by_group[g];
    }
    struct marginal_price *m = marginal_price_new(s->coverage);
    assert_non_null(m);
    money_t amount = marginal_price(m, running, coverage_slot(s->coverage, group), at_us);
    marginal_price_free(m);
    return amount;
}

static void test_reserved(void **state)
{
    struct coverage_scene *s = *state;
    size_t large = scene_use(s, "m4.large", 0, 0.10), xlarge = scene_use(s, "m4.xlarge", 0, 0.20);
    scene_reserve(s, "m4.large", 3, 0.06);
    assert_int_equal(price(s, (int64_t[]){0, 0}, large, 0), 0);
    assert_int_equal(price(s, (int64_t[]){2, 0}, large, 0), 0);
    assert_int_equal(price(s, (int64_t[]){3, 0}, large, 0), DOLLARS(0.10));
    assert_int_equal(price(s, (int64_t[]){2, 0}, xlarge, 0), DOLLARS(0.10)); /* half has room */
    /* A smaller one takes the cover of half a larger one. */
    assert_int_equal(price(s, (int64_t[]){0, 2}, large, 0), DOLLARS(0.10));
    assert_int_equal(price(s, (int64_t[]){0, 0}, large, 8760 * HOUR_US), DOLLARS(0.10));
    assert_int_equal(price(s, (int64_t[]){0, 0}, large, -HOUR_US), DOLLARS(0.10));
}

/* Several at once cost what they would one after the other. */
static void test_several_at_once(void **state)
{
    struct coverage_scene *s = *state;
    size_t large = scene_use(s, "m4.large", 0, 0.10), xlarge = scene_use(s, "m4.xlarge", 0, 0.20);
    scene_reserve(s, "m4.large", 3, 0.06);
    scene_build(s);
    struct marginal_price *m = marginal_price_new(s->coverage);
    for (int64_t before = 0; before < 6; before++) {
        for (int64_t count = 1; count < 6; count++) {
            int64_t running[2] = {0};
            const size_t slot = coverage_slot(s->coverage, large);
            running[coverage_slot(s->coverage, xlarge)] = 1;
            running[slot] = before;
            money_t at_once = marginal_price_of(m, running, slot, count, 0), sum = 0;
            for (int64_t i = 0; i < count; i++, running[slot]++) {
                sum += marginal_price(m, running, slot, 0);
            }
            assert_int_equal(at_once, sum);
        }
    }
    assert_int_equal(
        marginal_price_of(m, (int64_t[]){0, 0}, coverage_slot(s->coverage, large), 5, 0),
        DOLLARS(0.20)); /* three fit, two do not */
    marginal_price_free(m);
}

/* karpenter-provider-aws #3860 and others: an unfilled plan makes on-demand dearer than spot only
 * on paper. */
static void test_savings_plan(void **state)
{
    struct coverage_scene *s = *state;
    size_t low = scene_use(s, "m5.large", 0, 1.00), high = scene_use(s, "r5.large", 0, 1.00);
    size_t plan = scene_compute_plan(s, 1.60);
    scene_rate(s, low, plan, 0.80), scene_rate(s, high, plan, 0.50);
    assert_int_equal(price(s, (int64_t[]){0, 0}, low, 0), 0);
    assert_int_equal(price(s, (int64_t[]){1, 0}, low, 0), 0);
    assert_int_equal(price(s, (int64_t[]){2, 0}, low, 0), DOLLARS(1.00));
    /* 0.50 of the plan leave the other: 0.625 of its hour goes on demand. */
    assert_int_equal(price(s, (int64_t[]){2, 0}, high, 0), DOLLARS(0.625));
    assert_int_equal(price(s, (int64_t[]){0, 3}, high, 0), DOLLARS(0.80)); /* 0.10 left */
}

static void test_overflow(void **state)
{
    struct coverage_scene *s = *state;
    size_t g = scene_use(s, "m4.large", 0, 0.10);
    s->groups[g].on_demand_per_hour = 1000000 * MONEY_UNIT;
    assert_int_equal(price(s, (int64_t[]){9000}, g, 0), 1000000 * MONEY_UNIT);
    assert_int_equal(price(s, (int64_t[]){10000}, g, 0), MONEY_MAX);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_reserved),
        CASE(test_several_at_once),
        CASE(test_savings_plan),
        CASE(test_overflow),
    };
    return cmocka_run_group_tests_name("marginal_price", tests, NULL, NULL);
}
