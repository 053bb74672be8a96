/* SPDX-License-Identifier: GPL-3.0-or-later
 * What two runs rest on, side by side: what is the same has no row, and nothing is told twice. */
#include "engine/gsl_errors.h"
#include "engine/random.h"
#include "scenarios/decide/basis_difference.h"
#include "scenarios/decide/stated_difference.h"
#include "tests/support/testing.h"
#include "tests/support/yaml_round.h"

#include <math.h>
#include <string.h>

static void assert_row(const struct table *t, size_t row, const char *what, const char *verdict,
                       const char *a, const char *b)
{
    assert_string_equal(table_text(t, row, 0), what);
    assert_string_equal(table_text(t, row, 1), verdict);
    assert_string_equal(table_text(t, row, 2), a);
    assert_string_equal(table_text(t, row, 4), b);
}

static void assumptions_are_matched_by_name_and_value(void **state)
{
    (void)state;
    /* Two of one name: the alike ones meet, whatever their order; a source alone is a change. */
    struct basis_fact of_a[] = {{"boot", "3 min", "default"},
                                {"price", "5 USD/h", "list"},
                                {"price", "6 USD/h since 2026-05-01", "list"},
                                {"gone", "1", "default"},
                                {"rate", "2", "measured"}};
    struct basis_fact of_b[] = {{"price", "6 USD/h since 2026-05-01", "list"},
                                {"price", "4 USD/h", "list"},
                                {"boot", "3 min", "default"},
                                {"rate", "2", "default"},
                                {"new", "7", "default"}};
    const struct run_basis a = {.facts = of_a, .fact_count = 5};
    const struct run_basis b = {.facts = of_b, .fact_count = 5};
    struct table *t = assumption_differences(&a, &b);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 4);
    assert_row(t, 0, "price", "changed", "5 USD/h", "4 USD/h");
    assert_row(t, 1, "gone", "only in A", "1", "");
    assert_row(t, 2, "rate", "changed", "2", "2");
    assert_string_equal(table_text(t, 2, 3), "measured");
    assert_string_equal(table_text(t, 2, 5), "default");
    assert_row(t, 3, "new", "only in B", "", "7");
    table_free(t);
    t = assumption_differences(&a, &a);
    assert_int_equal(table_rows(t), 0);
    table_free(t);
}

enum { WORLDS = 400 };

static void draw(double *values, uint64_t seed, double low)
{
    for (uint32_t i = 0; i < WORLDS; i++) {
        values[i] = low + random_uniform_at((struct random_world){seed, i}, random_source("x"), 0);
    }
}

static void inputs_are_held_world_against_world_or_as_samples(void **state)
{
    (void)state;
    static double same[WORLDS], again[WORLDS], other[WORLDS], shifted[WORLDS];
    const char *names[] = {"x_frac", "y"}, *one[] = {"x_frac"};
    draw(same, 1, 0.0);
    draw(other, 2, 0.0);
    draw(shifted, 2, 0.3);
    for (int i = 0; i < WORLDS; i++) {
        again[i] = round(same[i] * 1e9) / 1e9; /* as a file has it */
    }
    double *of_a[] = {same, same}, *of_b[] = {again}, *of_c[] = {other}, *of_d[] = {shifted};
    const struct run_basis a = {
        .inputs = names, .values = of_a, .input_count = 2, .worlds = WORLDS};
    struct run_basis b = {.inputs = one, .values = of_b, .input_count = 1, .worlds = WORLDS / 2};
    struct table *t = input_differences(&a, &b, true);
    assert_int_equal(table_rows(t), 1);
    assert_string_equal(table_text(t, 0, 0), "y");
    assert_string_equal(table_text(t, 0, 1), "only in A");
    assert_true(table_missing(t, 0, 6));
    assert_int_equal(table_integer(t, 0, 8), WORLDS / 2);
    table_free(t);
    /* Other draws of one distribution: with one seed another input, with two seeds the same. */
    b.values = of_c;
    t = input_differences(&a, &b, true);
    assert_int_equal(table_rows(t), 2);
    assert_string_equal(table_text(t, 0, 1), "changed");
    table_free(t);
    t = input_differences(&a, &b, false);
    assert_int_equal(table_rows(t), 1);
    table_free(t);
    b.values = of_d;
    t = input_differences(&a, &b, false);
    assert_int_equal(table_rows(t), 2);
    assert_string_equal(table_text(t, 0, 1), "changed");
    assert_true(table_number(t, 0, 6) > table_number(t, 0, 3));
    table_free(t);
}

static void assert_stated(const struct table *t, size_t row, const char *key, const char *verdict,
                          const char *a, const char *b)
{
    assert_string_equal(table_text(t, row, 0), key);
    assert_string_equal(table_text(t, row, 1), verdict);
    assert_string_equal(table_text(t, row, 2), a);
    assert_string_equal(table_text(t, row, 3), b);
}

static void keys_are_held_against_each_other(void **state)
{
    (void)state;
    struct arena *arena = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    const char *const both[] = {"one", "two"}, *const first[] = {"one"};
    const struct yaml_node *a =
        yaml_of_text(arena, d, "a",
                     "name: x\nhorizon: 24h\nbudget: 5 USD\nprice_files: [own.csv]\n"
                     "workloads: {w: {mfu: 0.4, checkpoint: {every: 1h, write: 90s}}}\n"
                     "limits: [a, b]\n"
                     "strategies: {one: {nodes: 4, policy: wait}, two: {nodes: 2,\n"
                     "  commitments: [{count: 1, term: 1y}, {count: 3}]}}\n");
    const struct yaml_node *b =
        yaml_of_text(arena, d, "b",
                     "horizon: 1d\nname: x\nprice_files: [far/away/own.csv]\n"
                     "workloads: {w: {checkpoint: {write: 200s, every: 1h}, mfu: 0.4}}\n"
                     "limits: [a]\n"
                     "strategies: {one: {nodes: 4, policy: {name: wait}}, two: {nodes: 2,\n"
                     "  commitments: [{count: 1, term: 1y}, {count: 5}]}}\n"
                     "seed: 3\n");
    struct stated_side of_a = {a, both, 2}, of_b = {b, both, 2};
    struct table *t = stated_differences(&of_a, &of_b, arena);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 7);
    assert_stated(t, 0, "horizon", "changed", "24h", "1d");
    assert_stated(t, 1, "budget", "only in A", "5 USD", "");
    assert_stated(t, 2, "workloads.w.checkpoint.write", "changed", "90s", "200s");
    assert_stated(t, 3, "limits", "changed", "[a, b]", "[a]");
    assert_stated(t, 4, "strategies.one.policy", "changed", "wait", "{name: wait}");
    assert_stated(t, 5, "strategies.two.commitments[2].count", "changed", "3", "5");
    assert_stated(t, 6, "seed", "only in B", "", "3");
    table_free(t);
    /* A strategy that took no part in either has no row; of one that took part in one, all. */
    of_a.strategies = first;
    of_a.strategy_count = 1;
    t = stated_differences(&of_a, &of_b, arena);
    assert_stated(t, 5, "strategies.two", "only in B", "",
                  "{nodes: 2, commitments: [{count: 1, term: 1y}, {count: 5}]}");
    table_free(t);
    of_b.strategies = first;
    of_b.strategy_count = 1;
    t = stated_differences(&of_a, &of_b, arena);
    assert_int_equal(table_rows(t), 6);
    assert_stated(t, 5, "seed", "only in B", "", "3");
    table_free(t);
    t = stated_differences(&of_a, &of_a, arena);
    assert_int_equal(table_rows(t), 0);
    table_free(t);
    diagnostics_free(d);
    arena_free(arena);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assumptions_are_matched_by_name_and_value),
        cmocka_unit_test(inputs_are_held_world_against_world_or_as_samples),
        cmocka_unit_test(keys_are_held_against_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
