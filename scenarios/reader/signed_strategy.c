/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/signed_strategy.h"

#include "scenarios/reader/yaml_flow.h"

#include <stdlib.h>
#include <string.h>

static bool is_reservation(const struct yaml_node *item)
{
    const struct yaml_node *kind = item->kind == YAML_MAP ? yaml_tree_find(item, "kind") : NULL;
    return kind != NULL && kind->kind == YAML_TEXT &&
           strcmp(kind->text, "capacity-reservation") == 0;
}

/* Purchases of an item: those of a ladder are sized one by one. */
static size_t purchases(const struct yaml_node *item)
{
    const struct yaml_node *times = item->kind == YAML_MAP ? yaml_tree_find(item, "times") : NULL;
    const long n = times != NULL && times->kind == YAML_TEXT ? strtol(times->text, NULL, 10) : 1;
    return n > 1 ? (size_t)n : 1;
}

/* Whether these purchases are all of one size, as one item can have. */
static bool alike(const char *const *sizes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if ((sizes[i] == NULL) != (sizes[0] == NULL) ||
            (sizes[i] != NULL && strcmp(sizes[i], sizes[0]) != 0)) {
            return false;
        }
    }
    return true;
}

/* A copy of the item with this size. */
static bool put_item(struct yaml_node *list, const struct yaml_node *item, const char *key,
                     const char *size, struct arena *a)
{
    struct yaml_node *copy = yaml_flow_copy(a, item);
    struct yaml_node *value = yaml_tree_text(a, size, item->place);
    if (copy == NULL || value == NULL) {
        return false;
    }
    struct yaml_node *old = yaml_tree_find(copy, key);
    value->plain = true;
    if (old != NULL) {
        yaml_tree_overwrite(old, value);
    } else {
        value->key = key;
        yaml_tree_append(copy, value);
    }
    copy->key = NULL;
    yaml_tree_append(list, copy);
    return true;
}

/* `commitments` as stated is a list of mappings, or one mapping. */
static struct yaml_node *sized(const struct signed_strategy *s, const struct yaml_node *stated,
                               struct arena *a)
{
    struct yaml_node *list = yaml_tree_map(a, stated->place);
    const struct yaml_node *item = stated->kind == YAML_LIST ? stated->first : stated;
    size_t k = 0;
    bool ok = list != NULL;
    if (ok) {
        list->kind = YAML_LIST;
        list->key = "commitments";
    }
    for (; ok && item != NULL; item = stated->kind == YAML_LIST ? item->next : NULL) {
        if (is_reservation(item)) {
            struct yaml_node *copy = yaml_flow_copy(a, item);
            ok = copy != NULL;
            if (ok) {
                copy->key = NULL;
                yaml_tree_append(list, copy);
            }
            continue;
        }
        const size_t n = purchases(item);
        ok = n <= s->count - k && item->kind == YAML_MAP && alike(s->sizes + k, n) &&
             (s->sizes[k] == NULL ||
              put_item(list, item, s->hourly[k] ? "hourly" : "count", s->sizes[k], a));
        k += ok ? n : 0;
    }
    return ok && k == s->count ? list : NULL;
}

/* "to sign", "to sign 2", … */
static const char *free_name(const struct yaml_node *strategies, struct arena *a)
{
    const char *name = "to sign";
    for (int i = 2; name != NULL && yaml_tree_find(strategies, name) != NULL; i++) {
        name = arena_format(a, "to sign %d", i);
    }
    return name;
}

bool signed_strategy_add(struct text *out, const struct signed_strategy *s, struct arena *a)
{
    const struct yaml_node *strategies = yaml_tree_find(s->tree, "strategies");
    const struct yaml_node *base = strategies != NULL && strategies->kind == YAML_MAP
                                       ? yaml_tree_find(strategies, s->base)
                                       : NULL;
    struct yaml_node *copy =
        base != NULL && base->kind == YAML_MAP ? yaml_flow_copy(a, base) : NULL;
    struct yaml_node *old = copy == NULL ? NULL : yaml_tree_find(copy, "commitments");
    struct yaml_node *list = old == NULL ? NULL : sized(s, old, a);
    struct yaml_node *root = yaml_tree_map(a, s->tree->place);
    struct yaml_node *all = yaml_tree_map(a, s->tree->place);
    if (list == NULL || root == NULL || all == NULL) {
        return false;
    }
    if (list->count > 0) {
        yaml_tree_overwrite(old, list);
    } else {
        yaml_tree_remove(copy, old);
    }
    copy->key = free_name(strategies, a);
    all->key = "strategies";
    yaml_tree_append(all, copy);
    yaml_tree_append(root, all);
    yaml_flow_lines(out, root, 0, YAML_TREE_MAX_DEPTH);
    return copy->key != NULL && !out->overflow;
}
