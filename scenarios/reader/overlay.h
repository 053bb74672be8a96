/* SPDX-License-Identifier: GPL-3.0-or-later
 * One scenario file laid over another: mappings merge key by key, anything else replaces what was
 * there, and `null` (or `~`) takes a key away. Places stay those of the file that a value came
 * from. */
#ifndef FLEETCAST_SCENARIOS_OVERLAY_H
#define FLEETCAST_SCENARIOS_OVERLAY_H

#include "scenarios/reader/yaml_tree.h"

#include <stdbool.h>

/* Lays `upper` over `lower`, both mappings, in place; upper's nodes move into lower. False when
 * memory is out. */
bool overlay_merge(struct yaml_node *lower, struct yaml_node *upper);

#endif
