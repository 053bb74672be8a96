/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/yaml_round.h"

#include "engine/text.h"
#include "scenarios/reader/yaml_text.h"
#include "tests/support/testing.h"

#include <string.h>

struct yaml_node *yaml_of_text(struct arena *a, struct diagnostics *d, const char *file,
                               const char *text)
{
    struct yaml_source source = {.file = file, .text = text, .length = strlen(text)};
    struct yaml_node *root;

    assert_true(yaml_text_check(&source, d));
    root = yaml_tree_read(&source, a, d);
    assert_non_null(root);
    assert_false(diagnostics_failed(d));
    return root;
}

static void write_node(struct text *out, const struct yaml_node *node)
{
    if (node->kind == YAML_TEXT) {
        text_format(out, node->plain ? "%s" : "\"%s\"", node->text);
        return;
    }
    text_add(out, node->kind == YAML_MAP ? "{" : "[");
    for (const struct yaml_node *n = node->first; n != NULL; n = n->next) {
        if (n != node->first)
            text_add(out, ", ");
        if (node->kind == YAML_MAP)
            text_format(out, "%s: ", n->key);
        write_node(out, n);
    }
    text_add(out, node->kind == YAML_MAP ? "}" : "]");
}

const char *yaml_to_text(struct arena *a, const struct yaml_node *node)
{
    struct text out;
    const char *copy;

    text_init(&out, 0);
    write_node(&out, node);
    copy = arena_copy(a, out.data, out.length);
    text_release(&out);
    assert_non_null(copy);
    return copy;
}
