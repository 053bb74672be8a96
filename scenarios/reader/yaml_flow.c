/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/yaml_flow.h"

#include <string.h>

/* What needs no quotes in any place, if it does not begin with a mark. */
static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-+./$%()= ";

static bool reads_as_null(const char *s)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(s, words[i]) == 0)
            return true;
    }
    return false;
}

static bool needs_quotes(const char *s)
{
    const size_t length = strlen(s);

    return reads_as_null(s) || strspn(s, safe) != length || strchr("-=%$ +.()", s[0]) != NULL ||
           s[length - 1] == ' ';
}

static void add_quoted(struct text *out, const char *s)
{
    bool control = false;

    for (const unsigned char *p = (const unsigned char *)s; *p != '\0'; p++)
        control |= *p < 0x20 || *p == 0x7f;
    text_add(out, control ? "\"" : "'");
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (!control && c == '\'')
            text_add(out, "''");
        else if (control && (c == '"' || c == '\\'))
            text_format(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            text_format(out, "\\x%02x", c);
        else
            text_add_bytes(out, s, 1);
    }
    text_add(out, control ? "\"" : "'");
}

static void add_scalar(struct text *out, const char *s)
{
    if (needs_quotes(s))
        add_quoted(out, s);
    else
        text_add(out, s);
}

/* The depth is that of a file, at most YAML_TREE_MAX_DEPTH. */
void yaml_flow_add(struct text *out, const struct yaml_node *node)
{
    if (node->kind == YAML_TEXT) {
        if (yaml_tree_is_null(node))
            text_add(out, "null");
        else
            add_scalar(out, node->text);
        return;
    }
    text_add(out, node->kind == YAML_MAP ? "{" : "[");
    for (const struct yaml_node *n = node->first; n != NULL; n = n->next) {
        if (n != node->first)
            text_add(out, ", ");
        if (node->kind == YAML_MAP) {
            add_scalar(out, n->key);
            text_add(out, ": ");
        }
        yaml_flow_add(out, n);
    }
    text_add(out, node->kind == YAML_MAP ? "}" : "]");
}

const char *yaml_flow_text(struct arena *a, const struct yaml_node *node)
{
    struct text t;
    const char *copy;

    text_init(&t, 0);
    yaml_flow_add(&t, node);
    copy = t.overflow ? NULL : arena_copy(a, t.data, t.length);
    text_release(&t);
    return copy;
}

void yaml_flow_lines(struct text *out, const struct yaml_node *map, int indent, int depth)
{
    for (const struct yaml_node *n = map->first; n != NULL; n = n->next) {
        text_format(out, "%*s", indent, "");
        add_scalar(out, n->key);
        text_add(out, ":");
        if (n->kind == YAML_MAP && depth > 1 && n->count > 0) {
            text_add(out, "\n");
            yaml_flow_lines(out, n, indent + 2, depth - 1);
            continue;
        }
        text_add(out, " ");
        yaml_flow_add(out, n);
        text_add(out, "\n");
    }
}

/* ---- trees ---------------------------------------------------------------------------------- */

struct yaml_node *yaml_flow_copy(struct arena *a, const struct yaml_node *node)
{
    struct yaml_node *copy = arena_alloc(a, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *node;
    copy->previous = copy->next = copy->first = copy->last = NULL;
    copy->count = 0;
    for (const struct yaml_node *n = node->first; n != NULL; n = n->next) {
        struct yaml_node *child = yaml_flow_copy(a, n);
        if (child == NULL)
            return NULL;
        yaml_tree_append(copy, child);
    }
    return copy;
}

bool yaml_flow_same(const struct yaml_node *a, const struct yaml_node *b)
{
    const struct yaml_node *m = b->first;

    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == YAML_TEXT)
        return yaml_tree_is_null(a) == yaml_tree_is_null(b) && strcmp(a->text, b->text) == 0;
    for (const struct yaml_node *n = a->first; n != NULL; n = n->next) {
        const struct yaml_node *other = a->kind == YAML_MAP ? yaml_tree_find(b, n->key) : m;
        if (other == NULL || !yaml_flow_same(n, other))
            return false;
        m = m->next;
    }
    return true;
}

static bool add_removal(struct arena *a, struct yaml_node *to, const struct yaml_node *gone)
{
    struct yaml_node *null = yaml_tree_text(a, "null", gone->place);

    if (null == NULL)
        return false;
    null->plain = true;
    null->key = gone->key;
    yaml_tree_append(to, null);
    return true;
}

struct yaml_node *yaml_flow_difference(struct arena *a, const struct yaml_node *from,
                                       const struct yaml_node *to)
{
    struct yaml_node *out = yaml_tree_map(a, to->place);

    if (out == NULL)
        return NULL;
    out->key = to->key;
    for (const struct yaml_node *n = to->first; n != NULL; n = n->next) {
        const struct yaml_node *old = yaml_tree_find(from, n->key);
        struct yaml_node *part;
        if (old != NULL && yaml_flow_same(old, n))
            continue;
        part = old != NULL && old->kind == YAML_MAP && n->kind == YAML_MAP
                   ? yaml_flow_difference(a, old, n)
                   : yaml_flow_copy(a, n);
        if (part == NULL)
            return NULL;
        yaml_tree_append(out, part);
    }
    for (const struct yaml_node *n = from->first; n != NULL; n = n->next) {
        if (yaml_tree_find(to, n->key) == NULL && !add_removal(a, out, n))
            return NULL;
    }
    return out;
}
