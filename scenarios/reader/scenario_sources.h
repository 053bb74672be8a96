/* SPDX-License-Identifier: GPL-3.0-or-later
 * All that a user gave, laid over each other: files in their order, then settings. */
#ifndef FLEETCAST_SCENARIOS_SCENARIO_SOURCES_H
#define FLEETCAST_SCENARIOS_SCENARIO_SOURCES_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/scenario.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdint.h>

struct scenario_sources {
    struct yaml_node *root;   /* a MAP */
    struct schema_list files; /* struct scenario_file */
    uint64_t hash;            /* over the bytes of files and settings */
};

/* False when there is no tree to go on with, told in d. A wrong setting is told too, but the tree
 * is there, so that what else is wrong can be told as well. */
bool scenario_sources_read(struct scenario_sources *s, const struct scenario_request *request,
                           struct arena *a, struct diagnostics *d);

#endif
