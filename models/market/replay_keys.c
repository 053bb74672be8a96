/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/replay_keys.h"

#include <stddef.h>

#define REPLAY(member) offsetof(struct replay_spec, member)

static const struct schema_key replay_keys[] = {
    {.name = "file",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 1000,
     .offset = REPLAY(file),
     .place_offset = REPLAY(file_place),
     .help = "A trace table (docs/traces.md), relative to the scenario's folder; `fleetcast "
             "import` writes such tables."},
    {.name = "zone",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = REPLAY(zone),
     .help = "The zone in the table; default: the pool's own."},
    {.name = "instance",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = REPLAY(instance),
     .help = "The instance type in the table; default: the pool's own."},
    {.name = "start",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = REPLAY(start),
     .place_offset = REPLAY(start_place),
     .help = "Where in the trace the scenario starts: `random` (default: drawn per replication, "
             "the same for all pools of a file), a time into the trace (`36h`), or a date."},
    {.name = "wrap",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = REPLAY(wrap),
     .given_offset = REPLAY(wrap_given),
     .help = "Whether the trace goes on at its beginning when it ends; `no`: from its end on the "
             "pool has no nodes."},
    {.name = "nodes_per_unit",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .offset = REPLAY(nodes_per_unit),
     .help = "How many nodes one of the trace's stands for; default: 1, so that a gang larger "
             "than the trace's largest count is refused."},
};

const struct schema replay_schema = {
    .name = "market.spot.trace",
    .shorthand = "file",
    SCHEMA_KEYS(replay_keys),
    .size = sizeof(struct replay_spec),
    .help = "The trace that capacity or price replay; the file alone may stand in its place.",
};
