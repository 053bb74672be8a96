/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/diagnostics.h"
#include "scenarios/reader/yaml_text.h"
#include "scenarios/reader/yaml_tree.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct arena *arena;
    struct diagnostics *d;
    struct yaml_node *root;
};

static struct reading read_yaml(const char *text)
{
    struct reading r = {.arena = arena_new(0), .d = diagnostics_new()};
    struct yaml_source source = {.file = "a.yaml", .length = strlen(text)};
    char *copy = arena_string(r.arena, text);

    yaml_text_normalise(copy, &source.length);
    source.text = copy;
    if (yaml_text_check(&source, r.d))
        r.root = yaml_tree_read(&source, r.arena, r.d);
    return r;
}

static void release(struct reading *r)
{
    arena_free(r->arena);
    diagnostics_free(r->d);
}

static void assert_place(struct place got, int line, int column)
{
    assert_string_equal(got.file, "a.yaml");
    assert_int_equal(got.line, line);
    assert_int_equal(got.column, column);
}

static void a_tree_keeps_order_kind_and_place(void **state)
{
    struct reading r = read_yaml("b: 1\n"
                                 "a:\n"
                                 "  - \"x\"\n"
                                 "  - [2, {c: 3}]\n");
    struct yaml_node *a, *list;

    (void)state;
    assert_false(diagnostics_failed(r.d));
    assert_int_equal(r.root->kind, YAML_MAP);
    assert_int_equal(r.root->count, 2);
    assert_string_equal(r.root->first->key, "b");
    assert_string_equal(r.root->first->text, "1");
    assert_true(r.root->first->plain);
    assert_place(r.root->first->key_place, 1, 1);
    assert_place(r.root->first->place, 1, 4);
    a = yaml_tree_find(r.root, "a");
    assert_int_equal(a->kind, YAML_LIST);
    assert_false(a->first->plain);
    assert_string_equal(a->first->text, "x");
    assert_place(a->first->place, 3, 5);
    assert_null(a->first->key);
    list = a->last;
    assert_int_equal(list->count, 2);
    assert_string_equal(yaml_tree_find(list->last, "c")->text, "3");
    assert_null(yaml_tree_find(r.root, "c"));
    release(&r);
}

static void columns_count_code_points(void **state)
{
    struct reading r = read_yaml("\xef\xbb\xbf日本: é 𝄞\r\n\rx: {日: 1}\r\n");

    (void)state;
    assert_false(diagnostics_failed(r.d));
    assert_place(r.root->first->place, 1, 5);
    assert_string_equal(r.root->first->text, "é 𝄞");
    assert_place(r.root->last->key_place, 3, 1);
    assert_place(r.root->last->first->key_place, 3, 5);
    assert_place(r.root->last->first->place, 3, 8);
    release(&r);
}

static void nulls_are_told_apart(void **state)
{
    struct reading r = read_yaml("a:\nb: ~\nc: null\nd: \"\"\ne: \"null\"\nf: nil\n");
    const bool null[] = {true, true, true, false, false, false};
    const bool written[] = {false, true, true, false, false, false};
    size_t i = 0;

    (void)state;
    for (struct yaml_node *n = r.root->first; n != NULL; n = n->next, i++) {
        assert_int_equal(yaml_tree_is_null(n), null[i]);
        assert_int_equal(yaml_tree_is_written_null(n), written[i]);
    }
    assert_int_equal(i, 6);
    release(&r);
}

static void a_text_without_content_is_an_empty_value(void **state)
{
    const char *const texts[] = {"", "\n\n", "# only a comment\n", "---\n", "--- # x\n...\n"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r = read_yaml(texts[i]);
        assert_non_null(r.root);
        assert_true(yaml_tree_is_null(r.root));
        release(&r);
    }
}

/* The first of two equal keys stays; those after it go, whatever their number. */
static void duplicates_go(void **state)
{
    struct reading r = read_yaml("a: 1\nb: 2\na: 3\na: 4\nc: 5\n");

    (void)state;
    assert_int_equal(diagnostics_count(r.d, DIAGNOSTIC_ERROR), 2);
    assert_int_equal(r.root->count, 3);
    assert_string_equal(yaml_tree_find(r.root, "a")->text, "1");
    assert_string_equal(r.root->last->text, "5");
    release(&r);
}

static void split_values_become_one_broken_value(void **state)
{
    struct reading r = read_yaml("{a: f(g(1, 2), 3), b: h(4, c: 5), d: [k(1, 2), l(3], e: 1)}");
    struct yaml_node *a = yaml_tree_find(r.root, "a"), *d = yaml_tree_find(r.root, "d");

    (void)state;
    assert_int_equal(diagnostics_count(r.d, DIAGNOSTIC_ERROR), 2);
    assert_string_equal(diagnostics_text(r.d, 1, NULL, NULL),
                        "unclosed parenthesis: inside {} a comma ends the value; write 'f(g(1; 2); "
                        "3)'");
    assert_true(a->broken);
    assert_string_equal(a->next->key, "b"); /* `2)` and `3)` are gone */
    assert_false(a->next->broken);          /* c has a value: not a piece of h(4 */
    assert_true(d->first->broken);
    assert_int_equal(d->count, 2);
    assert_false(d->last->broken);
    release(&r);
}

/* A text of `depth` opening and closing brackets. */
static char *nested(int depth)
{
    char *text = calloc((size_t)depth * 2 + 1, 1);

    assert_non_null(text);
    memset(text, '[', (size_t)depth);
    memset(text + depth, ']', (size_t)depth);
    return text;
}

static void depth_has_a_limit(void **state)
{
    char *text = nested(YAML_TREE_MAX_DEPTH);
    struct reading r = read_yaml(text);

    (void)state;
    assert_non_null(r.root);
    release(&r);
    free(text);
    text = nested(YAML_TREE_MAX_DEPTH + 1);
    r = read_yaml(text);
    assert_null(r.root);
    assert_string_equal(diagnostics_text(r.d, 0, NULL, NULL), "nested more than 32 deep");
    release(&r);
    free(text);
}

/* "a: xxx" or "xxx: a", with `length` x. */
static char *sized(int length, bool key)
{
    char *text = calloc((size_t)length + 8, 1);

    assert_non_null(text);
    if (!key)
        memcpy(text, "a: ", 3);
    memset(text + strlen(text), 'x', (size_t)length);
    if (key)
        memcpy(text + length, ": a", 3);
    return text;
}

static void assert_readable(char *text, bool readable)
{
    struct reading r = read_yaml(text);

    assert_int_equal(r.root != NULL, readable);
    assert_int_equal(diagnostics_exit_code(r.d), readable ? 0 : 2);
    release(&r);
    free(text);
}

static void texts_have_limits(void **state)
{
    (void)state;
    assert_readable(sized(YAML_TREE_MAX_SCALAR, false), true);
    assert_readable(sized(YAML_TREE_MAX_SCALAR + 1, false), false);
    assert_readable(sized(YAML_TREE_MAX_KEY, true), true);
    assert_readable(sized(YAML_TREE_MAX_KEY + 1, true), false);
}

/* "[x,x,…]" of `count` items: count + 1 nodes. */
static char *many(size_t count)
{
    char *text = calloc(count * 2 + 8, 1);

    assert_non_null(text);
    text[0] = '[';
    for (size_t i = 0; i < count; i++)
        memcpy(text + 1 + 2 * i, "x,", 2);
    text[1 + 2 * count] = ']';
    return text;
}

static void nodes_have_a_limit(void **state)
{
    (void)state;
    assert_readable(many(YAML_TREE_MAX_NODES - 1), true);
    assert_readable(many(YAML_TREE_MAX_NODES), false);
}

static void nodes_can_be_moved(void **state)
{
    struct reading r = read_yaml("{a: 1, b: {x: 1}, c: 3}");
    struct yaml_node *b = yaml_tree_find(r.root, "b");
    struct yaml_node *text = yaml_tree_text(r.arena, "new", (struct place){"top.yaml", 7, 2});

    (void)state;
    yaml_tree_overwrite(b, text);
    assert_ptr_equal(r.root->first->next, b);
    assert_string_equal(b->key, "b");
    assert_string_equal(b->text, "new");
    assert_null(b->first);
    assert_int_equal(b->place.line, 7);
    assert_string_equal(b->key_place.file, "top.yaml");
    yaml_tree_remove(r.root, r.root->first);
    yaml_tree_remove(r.root, r.root->last);
    assert_ptr_equal(r.root->first, b);
    assert_ptr_equal(r.root->last, b);
    yaml_tree_remove(r.root, b);
    assert_null(r.root->first);
    assert_null(r.root->last);
    assert_int_equal(r.root->count, 0);
    release(&r);
}

static void sorted_children_are_found(void **state)
{
    struct reading r = read_yaml("{d: 1, a: 2, c: 3, b: 4}");
    struct yaml_node **sorted = yaml_tree_sorted(r.root);

    (void)state;
    for (struct yaml_node *n = r.root->first; n != NULL; n = n->next)
        assert_ptr_equal(yaml_tree_search(sorted, r.root->count, n->key), n);
    assert_null(yaml_tree_search(sorted, r.root->count, "bb"));
    assert_null(yaml_tree_search(sorted, r.root->count, ""));
    assert_null(yaml_tree_search(NULL, 0, "a"));
    free(sorted);
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_keeps_order_kind_and_place),
        cmocka_unit_test(columns_count_code_points),
        cmocka_unit_test(nulls_are_told_apart),
        cmocka_unit_test(a_text_without_content_is_an_empty_value),
        cmocka_unit_test(duplicates_go),
        cmocka_unit_test(split_values_become_one_broken_value),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(texts_have_limits),
        cmocka_unit_test(nodes_have_a_limit),
        cmocka_unit_test(nodes_can_be_moved),
        cmocka_unit_test(sorted_children_are_found),
    };

    return cmocka_run_group_tests_name("yaml_tree", tests, NULL, NULL);
}
