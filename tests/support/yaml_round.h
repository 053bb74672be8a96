/* SPDX-License-Identifier: GPL-3.0-or-later
 * Trees from text and back: for tests of what is done to trees. */
#ifndef FLEETCAST_TESTS_YAML_ROUND_H
#define FLEETCAST_TESTS_YAML_ROUND_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/yaml_tree.h"

/* The tree of a text that must be right; file names it in places. */
struct yaml_node *yaml_of_text(struct arena *a, struct diagnostics *d, const char *file,
                               const char *text);

/* "{a: 1, b: [x, {c: }]}" in the arena. */
const char *yaml_to_text(struct arena *a, const struct yaml_node *node);

#endif
