/* SPDX-License-Identifier: GPL-3.0-or-later
 * A YAML file as a tree with places. Built from libyaml's events, not with its loader, which is
 * quadratic on deep nesting; what a scenario has no use for (anchors, aliases, tags, directives,
 * further documents, keys that are not text) is refused, and every size has a limit, so that a
 * hostile file ends in an error in bounded time and memory. */
#ifndef FLEETCAST_SCENARIOS_YAML_TREE_H
#define FLEETCAST_SCENARIOS_YAML_TREE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/yaml_text.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    YAML_TREE_MAX_BYTES = 1 << 20,
    YAML_TREE_MAX_DEPTH = 32,
    YAML_TREE_MAX_NODES = 200000,
    YAML_TREE_MAX_SCALAR = 64 << 10,
    YAML_TREE_MAX_KEY = 256
};

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node {
    enum yaml_kind kind;
    bool plain;             /* TEXT without quotes */
    bool broken;            /* an error about it was told: take it as given, say no more */
    const char *text;       /* TEXT; without NUL bytes */
    struct place place;     /* of the value */
    const char *key;        /* in a mapping; else NULL */
    const char *label;      /* what messages call it; NULL: its key */
    struct place key_place; /* of the key; else the value's */
    struct yaml_node *previous, *next; /* siblings, in file order */
    struct yaml_node *first, *last;    /* of MAP and LIST */
    size_t count;                      /* of children */
};

/* The root, in the arena, of a text that was normalised and checked; an empty value (see
 * yaml_tree_is_null) when it has no content. NULL when the text is not YAML or breaks a limit, told
 * in d. Faults that leave the rest readable (duplicate keys, anchors, tags) are told in d too, and
 * the tree is returned. */
struct yaml_node *yaml_tree_read(const struct yaml_source *source, struct arena *a,
                                 struct diagnostics *d);

/* The value of a key of a MAP, or NULL. */
struct yaml_node *yaml_tree_find(const struct yaml_node *map, const char *key);

/* An unquoted empty value, `~` or `null`. */
bool yaml_tree_is_null(const struct yaml_node *node);
/* Of those, one that was written: `~` or `null`. */
bool yaml_tree_is_written_null(const struct yaml_node *node);

/* Builders for what does not come from a file; NULL when memory is out. Text is borrowed. */
struct yaml_node *yaml_tree_text(struct arena *a, const char *text, struct place place);
struct yaml_node *yaml_tree_map(struct arena *a, struct place place);

/* Appends a child; the caller keeps keys unique. */
void yaml_tree_append(struct yaml_node *parent, struct yaml_node *child);
void yaml_tree_remove(struct yaml_node *parent, struct yaml_node *child);
/* Turns `old` into `value` where it stands, children and places included; the key stays. */
void yaml_tree_overwrite(struct yaml_node *old, const struct yaml_node *value);
/* The children sorted by key, for many look-ups; malloc'd, the caller frees; NULL when memory is
 * out or there is none. */
struct yaml_node **yaml_tree_sorted(const struct yaml_node *map);
/* Binary search in what yaml_tree_sorted gave. */
struct yaml_node *yaml_tree_search(struct yaml_node *const *sorted, size_t count, const char *key);

#endif
