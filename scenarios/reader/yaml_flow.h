/* SPDX-License-Identifier: GPL-3.0-or-later
 * A tree written as YAML again: on one line in the flow style, or in lines as files are. What is
 * read back is the same tree; comments, places and quotes of the original are gone. */
#ifndef FLEETCAST_SCENARIOS_YAML_FLOW_H
#define FLEETCAST_SCENARIOS_YAML_FLOW_H

#include "engine/arena.h"
#include "engine/text.h"
#include "scenarios/reader/yaml_tree.h"

/* `{name: fallback, after: 30min}`, `[1, 2]`, `p4d.24xlarge`; texts that would read as something
 * else are quoted. */
void yaml_flow_add(struct text *out, const struct yaml_node *node);
/* The same in the arena; NULL when memory is out. */
const char *yaml_flow_text(struct arena *a, const struct yaml_node *node);
/* The children of a mapping, a line each, mappings below them indented by two more columns; what is
 * deeper than `depth` mappings stands in the flow style. */
void yaml_flow_lines(struct text *out, const struct yaml_node *map, int indent, int depth);

/* Copies a tree, in the arena; NULL when memory is out. Keys and texts are borrowed. */
struct yaml_node *yaml_flow_copy(struct arena *a, const struct yaml_node *node);
/* Whether two trees say the same, whatever their places; keys in any order. */
bool yaml_flow_same(const struct yaml_node *a, const struct yaml_node *b);
/* What has to be laid over `from` to make `to`, both mappings; an empty mapping when they say the
 * same. NULL when memory is out. */
struct yaml_node *yaml_flow_difference(struct arena *a, const struct yaml_node *from,
                                       const struct yaml_node *to);

#endif
