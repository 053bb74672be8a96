/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/overlay.h"
#include "tests/support/testing.h"
#include "tests/support/yaml_round.h"

struct row {
    const char *name;
    const char *lower, *upper, *want;
};

static const struct row rows[] = {
    {"keys of both", "{a: 1, b: 2}", "{c: 3}", "{a: 1, b: 2, c: 3}"},
    {"the upper wins", "{a: 1, b: 2}", "{a: 3}", "{a: 3, b: 2}"},
    {"mappings merge at any depth", "{a: {b: {c: 1, d: 2}}}", "{a: {b: {d: 3, e: 4}, f: 5}}",
     "{a: {b: {c: 1, d: 3, e: 4}, f: 5}}"},
    {"lists are replaced", "{a: [1, 2]}", "{a: [3]}", "{a: [3]}"},
    {"a mapping over a scalar", "{a: 1}", "{a: {b: 2}}", "{a: {b: 2}}"},
    {"a scalar over a mapping", "{a: {b: 2}}", "{a: \"1\"}", "{a: \"1\"}"},
    {"a list over a mapping", "{a: {b: 2}}", "{a: [b]}", "{a: [b]}"},
    {"null takes away", "{a: 1, b: {c: 2, d: 3}}", "{a: null, b: {c: ~}}", "{b: {d: 3}}"},
    {"null of what is not there", "{a: 1}", "{b: ~}", "{a: 1}"},
    {"an empty value takes nothing away", "{a: 1}", "{a: }", "{a: }"},
    {"quoted null is text", "{a: 1}", "{a: \"null\"}", "{a: \"null\"}"},
    {"nothing over something", "{a: 1}", "{}", "{a: 1}"},
    {"something over nothing", "{}", "{a: {b: 1}}", "{a: {b: 1}}"},
};

static void lays_over(void **state)
{
    const struct row *row = *state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct yaml_node *lower = yaml_of_text(a, d, "lower.yaml", row->lower);

    assert_true(overlay_merge(lower, yaml_of_text(a, d, "upper.yaml", row->upper)));
    assert_string_equal(yaml_to_text(a, lower), row->want);
    arena_free(a);
    diagnostics_free(d);
}

static void places_are_those_of_the_winner(void **state)
{
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct yaml_node *lower = yaml_of_text(a, d, "lower.yaml", "a: 1\nb: {c: 2, d: 3}\n");
    const struct yaml_node *b;

    (void)state;
    assert_true(overlay_merge(lower, yaml_of_text(a, d, "upper.yaml", "\nb:\n  d: 4\n  e: 5\n")));
    b = yaml_tree_find(lower, "b");
    assert_string_equal(b->place.file, "lower.yaml");
    assert_string_equal(yaml_tree_find(b, "c")->place.file, "lower.yaml");
    assert_string_equal(yaml_tree_find(b, "d")->place.file, "upper.yaml");
    assert_int_equal(yaml_tree_find(b, "d")->place.line, 3);
    assert_string_equal(yaml_tree_find(b, "d")->key_place.file, "upper.yaml");
    assert_int_equal(yaml_tree_find(b, "d")->key_place.column, 3);
    assert_string_equal(yaml_tree_find(b, "e")->key_place.file, "upper.yaml");
    arena_free(a);
    diagnostics_free(d);
}

int main(void)
{
    enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
    struct CMUnitTest tests[ROWS + 1] = {cmocka_unit_test(places_are_those_of_the_winner)};

    for (size_t i = 0; i < ROWS; i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = lays_over, .initial_state = (void *)&rows[i]};
    return cmocka_run_group_tests_name("overlay", tests, NULL, NULL);
}
