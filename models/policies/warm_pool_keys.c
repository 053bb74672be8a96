/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/warm_pool_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

#define WARM(member) offsetof(struct warm_pool_spec, member)

static const struct schema_key keys[] = {
    {.name = "min",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e5,
     .default_text = "0",
     .offset = WARM(least),
     .help = "Stopped nodes that there are to be at least, however many run (`MinSize`)."},
    {.name = "prepared",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e5,
     .offset = WARM(prepared),
     .given_offset = WARM(prepared_given),
     .help = "Nodes that there are to be in all, running or stopped (`MaxGroupPreparedCapacity`); "
             "default: as many as the service may have at most."},
    {.name = "start",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .required = true,
     .offset = WARM(start),
     .help = "Time from the start of a stopped node to its being ready for its replicas, in place "
             "of `boot`."},
    {.name = "load",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .offset = WARM(load),
     .help = "Time from there until they serve, in place of the service's `load`: what was "
             "downloaded is on its disk; default: as long as on a new node."},
    {.name = "reuse",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = WARM(reuse),
     .help = "`yes`: nodes that are no longer needed are stopped and kept, as far as there is room "
             "(`ReuseOnScaleIn`); `no`: they end, and others are made ready in their place."},
};

const struct schema warm_pool_schema = {
    .name = "strategy.warm_pool",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct warm_pool_spec),
    .help = "Nodes that were made ready and stopped, to be started when more are wanted. A stopped "
            "node costs its `disk`; making one ready is paid as any node, for as long as it boots "
            "and loads.",
};
