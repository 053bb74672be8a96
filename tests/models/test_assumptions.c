/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "models/market/assumptions.h"

#include <stdio.h>
#include <string.h>

static void keeps_each_once_in_order(void **state)
{
    (void)state;
    struct arena *arena = arena_new(0);
    struct assumptions a = {.arena = arena};
    char what[32];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
            snprintf(what, sizeof what, "thing %d", i);
            assumptions_add(&a, i % 2 == 1, i == 0 ? NULL : "a test", what, "%d units of %s", i,
                            "x");
        }
    }
    assert_int_equal(a.count, 100);
    assert_string_equal(a.items[0].what, "thing 0");
    assert_string_equal(a.items[0].source, "default");
    assert_string_equal(a.items[99].value, "99 units of x");
    assert_string_equal(a.items[99].source, "a test");
    assert_true(a.items[99].extrapolated);
    assert_false(a.items[98].extrapolated);
    assumptions_add(&a, false, NULL, "thing 5", "another value");
    assert_int_equal(a.count, 101);
    assumptions_add(NULL, false, NULL, "nowhere", "to go");
    arena_free(arena);
}

static void long_values_are_kept_whole(void **state)
{
    (void)state;
    struct arena *arena = arena_new(0);
    struct assumptions a = {.arena = arena};
    char text[3000];
    memset(text, 'v', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assumptions_add(&a, false, text, text, "%s", text);
    assert_string_equal(a.items[0].value, text);
    assert_string_equal(a.items[0].what, text);
    arena_free(arena);
}

static void a_full_arena_loses_it_cleanly(void **state)
{
    (void)state;
    struct arena *arena = arena_new(4096);
    struct assumptions a = {.arena = arena};
    char what[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(what, sizeof what, "thing %d", i);
        assumptions_add(&a, false, NULL, what, "%d", i);
    }
    assert_true(a.count < 1000);
    for (size_t i = 0; i < a.count; i++) {
        assert_non_null(a.items[i].what);
        assert_non_null(a.items[i].source);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_each_once_in_order),
        cmocka_unit_test(long_values_are_kept_whole),
        cmocka_unit_test(a_full_arena_loses_it_cleanly),
    };
    return cmocka_run_group_tests_name("assumptions", tests, NULL, NULL);
}
