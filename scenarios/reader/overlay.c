/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/overlay.h"

#include <stdlib.h>

/* The depth is that of a file, at most YAML_TREE_MAX_DEPTH. */
bool overlay_merge(struct yaml_node *lower, struct yaml_node *upper)
{
    struct yaml_node **sorted = yaml_tree_sorted(lower);
    const size_t count = lower->count;
    struct yaml_node *next;
    bool good = sorted != NULL || count == 0;

    for (struct yaml_node *n = upper->first; good && n != NULL; n = next) {
        struct yaml_node *old = yaml_tree_search(sorted, count, n->key);
        next = n->next;
        if (old == NULL) {
            if (!yaml_tree_is_written_null(n))
                yaml_tree_append(lower, n);
        } else if (yaml_tree_is_written_null(n)) {
            yaml_tree_remove(lower, old);
        } else if (old->kind == YAML_MAP && n->kind == YAML_MAP) {
            good = overlay_merge(old, n);
        } else {
            yaml_tree_overwrite(old, n);
        }
    }
    free(sorted);
    return good;
}
