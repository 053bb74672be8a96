/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/footprint.h"

#include <stddef.h>

#define FOOTPRINT(member) offsetof(struct footprint_spec, member)

static const struct schema_key footprint_keys[] = {
    {.name = "spare_replicas",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e4,
     .default_text = "0",
     .offset = FOOTPRINT(spare_replicas),
     .help = "Replicas that serve beside those that are asked for (SkyServe's "
             "`num_overprovision`); autoscalers look as if they were not there."},
    {.name = "spare_nodes",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 1e4,
     .default_text = "0",
     .offset = FOOTPRINT(spare_nodes),
     .help = "Likewise, as many as so many nodes hold: 1 is N+1, the loss of a node leaves "
             "enough."},
    {.name = "zones",
     .kind = SCHEMA_TEXTS,
     .low = 2,
     .high = FOOTPRINT_MOST_ZONES,
     .offset = FOOTPRINT(zones),
     .place_offset = FOOTPRINT(zones_place),
     .help = "Zones over which replicas are spread evenly, such as `[us-east-1a, us-east-1b]`; "
             "what a zone has not is asked for in the others."},
    {.name = "survive_zone",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = FOOTPRINT(survive_zone),
     .help = "Enough stand that the loss of any one of the `zones` leaves as many as are asked "
             "for."},
};

const struct schema footprint_schema = {
    .name = "strategy.footprint",
    SCHEMA_KEYS(footprint_keys),
    .size = sizeof(struct footprint_spec),
    .help = "What stands of a service beside the replicas that are asked for.",
};

uint32_t footprint_replicas(const struct footprint *f, uint32_t asked)
{
    if (asked == 0) {
        return 0;
    }
    uint64_t spared = (uint64_t)asked + f->spare_replicas + (uint64_t)f->spare_nodes * f->per_node;
    if (f->survive_zone && f->zones > 1) {
        uint64_t others = f->zones - 1, zoned = ((uint64_t)asked * f->zones + others - 1) / others;
        spared = spared > zoned ? spared : zoned;
    }
    return spared < UINT32_MAX ? (uint32_t)spared : UINT32_MAX;
}

void footprint_spread(uint32_t replicas, uint32_t zones, uint32_t *share)
{
    for (uint32_t z = 0; z < zones; z++) {
        share[z] = replicas / zones + (z < replicas % zones);
    }
}
