/* SPDX-License-Identifier: GPL-3.0-or-later
 * What stands of a service beside the replicas that its autoscalers ask for: spares, so that the
 * loss of a replica or of a node leaves enough, and several zones, so that the loss of a zone does.
 */
#ifndef FLEETCAST_MODELS_FOOTPRINT_H
#define FLEETCAST_MODELS_FOOTPRINT_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum { FOOTPRINT_MOST_ZONES = 8 };

/* `footprint: {spare_nodes: 1, zones: [us-east-1a, us-east-1b], survive_zone: yes}` of a strategy.
 */
struct footprint_spec {
    int64_t spare_replicas, spare_nodes;
    struct schema_list zones; /* const char * */
    struct place zones_place;
    bool survive_zone;
};
extern const struct schema footprint_schema;

/* The rule of a service under a strategy. */
struct footprint {
    uint32_t spare_replicas, spare_nodes;
    uint32_t per_node;
    uint32_t zones; /* at least 1 */
    bool survive_zone;
};

/* Replicas that stand when so many are asked for. The spares beside them: those of spare nodes are
 * as many as a node holds, so that without any so many nodes enough are left; over Z zones at least
 * ceil(R Z / (Z - 1)), of which floor(T (Z - 1) / Z) >= R are left without the fullest zone. Where
 * none is asked for, none stands. */
uint32_t footprint_replicas(const struct footprint *f, uint32_t asked);
/* As evenly as can be, the first zones first. share: one for each zone. */
void footprint_spread(uint32_t replicas, uint32_t zones, uint32_t *share);

#endif
