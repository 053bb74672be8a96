/* SPDX-License-Identifier: GPL-3.0-or-later
 * `--set path.to.key=value`: one value laid over a scenario from the command line.
 *
 * The path is split at dots, but names hold dots too (`market.spot.p4d.24xlarge.price`). So each
 * step takes the longest run of parts that is a key already there or one that the schema knows and
 * from which the rest of the path can be followed; a new name of the user's (an instance type, a
 * workload) takes the shortest run that leaves a path the schema knows. Where that guess is not
 * wanted, a part may be quoted: `market.spot."p4d.24xlarge".price`. A list that may be one item
 * without [] has the item's keys below it where it holds one item or none (`autoscale.target`). The
 * value is YAML, as it could stand behind `key: ` in a file; `null` takes the key away. */
#ifndef FLEETCAST_SCENARIOS_SETTINGS_H
#define FLEETCAST_SCENARIOS_SETTINGS_H

#include "engine/schema.h"
#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>

/* Lays the setting over the tree; all its places are {"--set path=value", 0, 0}. False when it is
 * wrong, told in d. */
bool settings_apply(struct yaml_node *root, const struct schema *schema, const char *setting,
                    struct arena *a, struct diagnostics *d);

#endif
