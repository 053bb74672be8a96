/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about nodes that several services share. */
#ifndef FLEETCAST_MODELS_SHARED_FLEET_KEYS_H
#define FLEETCAST_MODELS_SHARED_FLEET_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"

#include <stdint.h>

/* Most nodes of a shared fleet: every service may have replicas on each of them. */
enum { SHARED_FLEET_MOST_NODES = 2000 };

struct shared_fleet_spec {
    struct schema_item item;
    int64_t max_nodes, min_nodes;
    struct place max_place;
    struct variate boot; /* seconds from launch to booted */
    struct storage_spec storage;
    struct label_spec labels; /* whose nodes they are */
};
extern const struct schema shared_fleet_schema; /* variant "fleet" of `kind` */

#endif
