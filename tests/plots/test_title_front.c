/* SPDX-License-Identifier: GPL-3.0-or-later
 * The title of the front, on points where each of its claims is true, and where it is not. */
#include "plots/sentences/title_front.h"

#include "tests/support/sample_search.h"
#include "tests/support/testing.h"

#include <math.h>

static void expect(const struct front_member *front, size_t count, const char *title)
{
    struct front_member members[4];
    struct front_points p = {.front = members, .front_count = count};
    struct text t;

    for (size_t i = 0; i < count; i++)
        members[i] = front[i];
    text_init(&t, 0);
    title_front(&t, &p, "USD");
    assert_string_equal(t.data, title);
    text_release(&t);
}

static const struct front_member cheap = {.plan = "plan-1",
                                          .cost = 2000,
                                          .cost_low = 1950,
                                          .cost_high = 2050,
                                          .time_h = 48,
                                          .time_low_h = 47,
                                          .time_high_h = 49};

static void the_ends_differ_in_both(void **state)
{
    struct front_member fast = cheap;

    (void)state;
    fast.plan = "plan-2";
    fast.cost = 2100;
    fast.cost_low = 2051;
    fast.cost_high = 2200;
    fast.time_h = 40;
    fast.time_low_h = 39;
    fast.time_high_h = 46.9;
    expect((struct front_member[]){cheap, fast}, 2,
           "The cheapest plan costs $2,000 in 48 hours; the fastest is done in 40 hours for "
           "$2,100");
}

static void no_claim_where_intervals_overlap(void **state)
{
    struct front_member fast = cheap;

    (void)state;
    fast.plan = "plan-2";
    fast.cost = 2100;
    fast.cost_low = 2050;
    fast.time_h = 40;
    fast.time_high_h = 41;
    expect((struct front_member[]){cheap, fast}, 2,
           "plan-2 is the fastest plan, 40 hours, at no clear difference in cost: $2,100");
    fast.cost_low = 2090;
    fast.time_high_h = 47;
    expect((struct front_member[]){cheap, fast}, 2,
           "plan-1 is the cheapest plan, $2,000, at no clear difference in time: 48 hours");
    fast.time_high_h = HUGE_VAL; /* open: nothing is known */
    expect((struct front_member[]){cheap, fast}, 2,
           "plan-1 is the cheapest plan, $2,000, at no clear difference in time: 48 hours");
}

static void one_plan_or_none(void **state)
{
    (void)state;
    expect(&cheap, 1, "plan-1 is the cheapest plan and the fastest: $2,000, 48 hours");
    expect(NULL, 0, "No plan finishes its work often enough to be compared");
}

static void measures_in_words(void **state)
{
    static const char *const rows[][2] = {
        {"cost_usd.p80", "P80 cost"},   {"cost_usd.p99.5", "P99.5 cost"},
        {"cost_usd.mean", "mean cost"}, {"cost_usd.max", "highest cost"},
        {"cost_usd", "cost_usd"},       {"cost_usdx.p80", "cost_usdx.p80"}};
    struct text t;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_init(&t, 0);
        front_measure_words(&t, rows[i][0], "cost_usd", "cost");
        assert_string_equal(t.data, rows[i][1]);
        text_release(&t);
    }
}

/* A search that ended without hope judged nothing on fresh worlds. */
static void which_worlds_the_front_is_of(void **state)
{
    struct table *front = sample_front_table(), *candidates = sample_candidates_table();
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct front_points p;

    (void)state;
    assert_true(front_points_read(&p, candidates, front, "cost_usd", a, d));
    assert_true(p.front_count > 0 && p.fresh);
    for (size_t i = 0; i < table_rows(front); i++)
        table_set_integer(front, i, (size_t)table_find(front, "worlds"), 0);
    assert_true(front_points_read(&p, candidates, front, "cost_usd", a, d));
    assert_false(p.fresh);
    table_free(front);
    table_free(candidates);
    diagnostics_free(d);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_differ_in_both),
        cmocka_unit_test(no_claim_where_intervals_overlap), cmocka_unit_test(one_plan_or_none),
        cmocka_unit_test(measures_in_words), cmocka_unit_test(which_worlds_the_front_is_of)};
    return cmocka_run_group_tests_name("title_front", tests, NULL, NULL);
}
