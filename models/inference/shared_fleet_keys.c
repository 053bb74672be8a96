/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_keys.h"

#include <stddef.h>

#define DAY_S          86400.0
#define SHARED(member) offsetof(struct shared_fleet_spec, member)

static const struct schema_key shared_fleet_keys[] = {
    {.name = "max_nodes",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = SHARED_FLEET_MOST_NODES,
     .required = true,
     .offset = SHARED(max_nodes),
     .place_offset = SHARED(max_place),
     .help = "Most nodes at a time; replicas that find no room on them wait for it."},
    {.name = "min_nodes",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = SHARED_FLEET_MOST_NODES,
     .default_text = "0",
     .offset = SHARED(min_nodes),
     .help =
         "Nodes that stand from the begin of the first service to the end of the last, empty or "
         "not."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = SHARED(boot),
     .help = "Time from a node's launch to its being ready for replicas."},
    STORAGE_KEYS(struct shared_fleet_spec),
    LABEL_KEY_OWNER(SHARED(labels), "Whose nodes they are: split.csv splits the cost by owner."),
    LABEL_KEY_TAGS(SHARED(labels)),
};

const struct schema shared_fleet_schema = {
    .name = "fleet",
    .tag = "kind",
    SCHEMA_KEYS(shared_fleet_keys),
    .size = sizeof(struct shared_fleet_spec),
    .help = "Nodes that several services (`kind: inference` with `fleet: NAME`) share: as many as "
            "their replicas need.",
};
