/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of values in a setting: what a comma parts and what it does not, and the grid they make. */
#include "scenarios/reader/setting_axis.h"

#include "tests/support/testing.h"

#include <string.h>

struct split_case {
    const char *setting, *path, *values; /* joined by | */
};

static const struct split_case cases[] = {
    {"a.b=1,2,3", "a.b", "1|2|3"},
    {"a= 1 , 2 h ", "a", "1|2 h"},
    {"a=uniform(2h, 4h),5h", "a", "uniform(2h, 4h)|5h"},
    {"a=[x, y],{k: 1, l: 2}", "a", "[x, y]|{k: 1, l: 2}"},
    {"a=\"x,y\",z", "a", "\"x,y\"|z"},
    {"a=it's,z", "a", "it's|z"},
    {"a.\"b=c\".d=5..9,7", "a.\"b=c\".d", "5..9|7"},
    {"a=b=c,d", "a", "b=c|d"},
    {"a=f(g(1,2),3)", "a", "f(g(1,2),3)"},
    {"a=1)", "a", "1)"},
};

static void splits(void **state)
{
    const struct split_case *c = *state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct setting_axis axis;
    char joined[256] = "";

    assert_true(setting_axis_parse(&axis, c->setting, a, d));
    for (size_t i = 0; i < axis.count; i++) {
        strcat(joined, i > 0 ? "|" : "");
        strcat(joined, axis.values[i]);
    }
    assert_string_equal(axis.path, c->path);
    assert_string_equal(joined, c->values);
    diagnostics_free(d);
    arena_free(a);
}

static void refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"a.b", "no '='"},
                                           {"a=", "empty"},
                                           {"a=1,,2", "empty"},
                                           {"a=1,", "empty"},
                                           {"a=uniform(1, 2", "bracket"},
                                           {"a=\"x,y", "quote"},
                                           {"a=1,2,1", "twice"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct arena *a = arena_new(0);
        struct diagnostics *d = diagnostics_new();
        struct setting_axis axis;
        assert_false(setting_axis_parse(&axis, wrong[i][0], a, d));
        assert_non_null(strstr(diagnostics_text(d, 0, NULL, NULL), wrong[i][1]));
        diagnostics_free(d);
        arena_free(a);
    }
}

static void a_grid(void **state)
{
    (void)state;
    static const char *const settings[] = {"a=1,2", "b=x,y,z", "c=7"};
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct setting_axis axes[3];
    struct setting_grid g;
    const char *point[3];

    for (size_t i = 0; i < 3; i++) {
        assert_true(setting_axis_parse(&axes[i], settings[i], a, d));
    }
    assert_true(setting_grid_make(&g, axes, 3, d));
    assert_int_equal(g.points, 6);
    for (size_t i = 0; i < g.points; i++) {
        char want[2][8] = {"a=1", "b=x"};
        want[0][2] = (char)('1' + i / 3);
        want[1][2] = (char)('x' + i % 3);
        assert_true(setting_grid_settings(&g, i, a, point));
        assert_string_equal(point[0], want[0]);
        assert_string_equal(point[1], want[1]);
        assert_string_equal(point[2], "c=7");
    }
    axes[2].path = "a";
    assert_false(setting_grid_make(&g, axes, 3, d));
    axes[2] = (struct setting_axis){"d", axes[1].values, 200};
    assert_false(setting_grid_make(&g, axes, 3, d));
    assert_true(setting_grid_make(&g, axes, 0, d));
    assert_int_equal(g.points, 1);
    diagnostics_free(d);
    arena_free(a);
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES + 2];

    for (size_t i = 0; i < CASES; i++)
        tests[i] =
            (struct CMUnitTest){cases[i].setting, splits, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    tests[CASES] = (struct CMUnitTest)cmocka_unit_test(refused);
    tests[CASES + 1] = (struct CMUnitTest)cmocka_unit_test(a_grid);
    return _cmocka_run_group_tests("setting_axis", tests, CASES + 2, NULL, NULL);
}
