/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a key belongs that stands where it is not known: a line indented wrongly puts a key that is
 * spelt right into the wrong section. */
#ifndef FLEETCAST_SCENARIOS_KEY_HOME_H
#define FLEETCAST_SCENARIOS_KEY_HOME_H

#include "engine/arena.h"
#include "engine/schema.h"

/* The path of the first section, depth first, that has the key, `NAME` standing for names of the
 * user's, and the variant where there are several: "workloads.NAME.checkpoint",
 * "strategies.NAME.policy (name: fallback)"; "" for the root itself; NULL when no section has it.
 * In the arena. Keys of one letter or two are no evidence: NULL. */
const char *key_home(struct arena *a, const struct schema *root, const char *key);

#endif
