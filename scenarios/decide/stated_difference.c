/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/stated_difference.h"

#include "engine/text.h"
#include "scenarios/decide/result_difference.h"
#include "scenarios/reader/yaml_flow.h"

#include <stdlib.h>
#include <string.h>

#define CHANGED "changed"

#define WORDS(name, meaning)                                                                       \
    {                                                                                              \
        name, "", meaning, COLUMN_TEXT, 0                                                          \
    }
enum { KEY, VERDICT, IN_A, IN_B };
const struct column stated_difference_columns[STATED_DIFFERENCE_COLUMNS] = {
    WORDS("key", "The key, as --set takes it; an item of a list is [1], [2], …"),
    WORDS("verdict", "changed, only in A, only in B"),
    WORDS("a", "What A states, as YAML"),
    WORDS("b", "What B states"),
};

struct key_comparison {
    const struct stated_side *a, *b;
    struct arena *arena;
    struct table *t;
    bool failed; /* out of memory */
};

/* a or b NULL: the other alone states it. */
static void add_row(struct key_comparison *c, const char *key, const struct yaml_node *a,
                    const struct yaml_node *b)
{
    const size_t row = table_add_row(c->t);
    const char *of_a = a == NULL ? NULL : yaml_flow_text(c->arena, a);
    const char *of_b = b == NULL ? NULL : yaml_flow_text(c->arena, b);
    if (row == SIZE_MAX || (a != NULL && of_a == NULL) || (b != NULL && of_b == NULL)) {
        c->failed = true;
        return;
    }
    table_set_text(c->t, row, KEY, key);
    table_set_text(c->t, row, VERDICT,
                   a == NULL   ? diff_verdict_names[DIFF_ONLY_B]
                   : b == NULL ? diff_verdict_names[DIFF_ONLY_A]
                               : CHANGED);
    if (of_a != NULL) {
        table_set_text(c->t, row, IN_A, of_a);
    }
    if (of_b != NULL) {
        table_set_text(c->t, row, IN_B, of_b);
    }
}

static bool counts(const struct stated_side *s, const char *strategy)
{
    for (size_t i = 0; i < s->strategy_count; i++) {
        if (strcmp(s->strategies[i], strategy) == 0) {
            return true;
        }
    }
    return false;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Lists of files, or one file each. */
static bool name_same_files(const struct yaml_node *a, const struct yaml_node *b)
{
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    if (a->kind == YAML_TEXT) {
        return strcmp(base_of(a->text), base_of(b->text)) == 0;
    }
    const struct yaml_node *other = b->first;
    for (const struct yaml_node *n = a->first; n != NULL; n = n->next, other = other->next) {
        if (n->kind != YAML_TEXT || !name_same_files(n, other)) {
            return false;
        }
    }
    return a->kind == YAML_LIST;
}

static bool holds_maps(const struct yaml_node *list)
{
    for (const struct yaml_node *n = list->first; n != NULL; n = n->next) {
        if (n->kind == YAML_MAP) {
            return true;
        }
    }
    return false;
}

static void compare(struct key_comparison *c, const char *path, const struct yaml_node *a,
                    const struct yaml_node *b);

/* A key of a mapping; a or b NULL: the other alone has it. */
static void compare_key(struct key_comparison *c, const char *path, const struct yaml_node *a,
                        const struct yaml_node *b)
{
    const char *key = a != NULL ? a->key : b->key;
    const char *below = path[0] == '\0' ? key : arena_format(c->arena, "%s.%s", path, key);
    if (below == NULL) {
        c->failed = true;
        return;
    }
    if (strcmp(path, "strategies") == 0) {
        a = a != NULL && counts(c->a, key) ? a : NULL;
        b = b != NULL && counts(c->b, key) ? b : NULL;
    }
    if (a != NULL && b != NULL) {
        if (strcmp(below, "price_files") != 0 || !name_same_files(a, b)) {
            compare(c, below, a, b);
        }
    } else if (a != NULL || b != NULL) {
        add_row(c, below, a, b);
    }
}

static void compare_maps(struct key_comparison *c, const char *path, const struct yaml_node *a,
                         const struct yaml_node *b)
{
    struct yaml_node **of_a = yaml_tree_sorted(a), **of_b = yaml_tree_sorted(b);
    if ((of_a == NULL && a->count > 0) || (of_b == NULL && b->count > 0)) {
        c->failed = true;
    }
    for (const struct yaml_node *n = a->first; !c->failed && n != NULL; n = n->next) {
        compare_key(c, path, n, b->count == 0 ? NULL : yaml_tree_search(of_b, b->count, n->key));
    }
    for (const struct yaml_node *n = b->first; !c->failed && n != NULL; n = n->next) {
        if (a->count == 0 || yaml_tree_search(of_a, a->count, n->key) == NULL) {
            compare_key(c, path, NULL, n);
        }
    }
    free(of_a);
    free(of_b);
}

static void compare_lists(struct key_comparison *c, const char *path, const struct yaml_node *a,
                          const struct yaml_node *b)
{
    const struct yaml_node *other = b->first;
    size_t i = 1;
    for (const struct yaml_node *n = a->first; !c->failed && n != NULL;
         n = n->next, other = other->next) {
        const char *below = arena_format(c->arena, "%s[%zu]", path, i++);
        if (below == NULL) {
            c->failed = true;
        } else {
            compare(c, below, n, other);
        }
    }
}

/* The depth is that of a file, at most YAML_TREE_MAX_DEPTH. */
static void compare(struct key_comparison *c, const char *path, const struct yaml_node *a,
                    const struct yaml_node *b)
{
    if (a->kind == YAML_MAP && b->kind == YAML_MAP) {
        compare_maps(c, path, a, b);
    } else if (a->kind == YAML_LIST && b->kind == YAML_LIST && a->count == b->count &&
               holds_maps(a) && holds_maps(b)) {
        compare_lists(c, path, a, b);
    } else if (!yaml_flow_same(a, b)) {
        add_row(c, path, a, b);
    }
}

struct table *stated_differences(const struct stated_side *a, const struct stated_side *b,
                                 struct arena *arena)
{
    struct key_comparison c = {
        .a = a,
        .b = b,
        .arena = arena,
        .t = table_new("stated", stated_difference_columns, STATED_DIFFERENCE_COLUMNS)};
    if (c.t != NULL) {
        compare(&c, "", a->tree, b->tree);
    }
    if (c.t != NULL && (c.failed || table_incomplete(c.t))) {
        table_free(c.t);
        return NULL;
    }
    return c.t;
}
