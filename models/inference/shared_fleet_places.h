/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the replicas of several services stand on the nodes that they share, and how many nodes
 * that takes.
 *
 * A replica that is wanted takes a free place of its size: on a node on which one of its service
 * drains, else on the fullest node that has room, the largest replicas first. What has none waits,
 * and nodes are asked for as it would need if they were empty. One too many is taken from the
 * emptiest node, and holds its place until it has drained. Nothing is moved to make room: a node
 * goes when it is empty and more are held than needed, except where a pool has more than its share
 * of `fill`, whose emptiest nodes are then drained. */
#ifndef FLEETCAST_MODELS_SHARED_FLEET_PLACES_H
#define FLEETCAST_MODELS_SHARED_FLEET_PLACES_H

#include "models/fleet/fill.h"
#include "models/fleet/fleet.h"
#include "models/inference/replica_packing.h"
#include "models/inference/shared_fleet_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct service_run;

struct fleet_tenant {
    struct service_run *run;
    uint64_t units[WORK_MAX_POOLS]; /* of a replica, by pool */
    uint32_t placed;                /* replicas that have a place */
    double taken;                   /* by its replicas now, in nodes */
    double node_s; /* the same over time, up to the last look; of who keeps books */
};

struct shared_fleet_places {
    const struct shared_fleet_plan *plan;
    struct fleet *fleet;
    struct crew *crews[WORK_MAX_POOLS]; /* as the plan's pools */
    uint32_t first[WORK_MAX_POOLS];     /* node of the first slot of each */
    uint32_t node_count;
    uint32_t reach[WORK_MAX_POOLS];   /* slots to look at; … */
    uint32_t reached[WORK_MAX_POOLS]; /* … of the last pass, before which no node was */
    struct packing_node *nodes;       /* by pool and slot */
    uint64_t *rooms;                  /* scratch */
    struct packing_wish *wishes;
    struct fleet_tenant *tenants;
    size_t tenant_count;
    struct fill fill; /* of nodes */
};

/* The plan and the crews, one for each of its pools, are borrowed. False when memory is out. */
bool shared_fleet_places_init(struct shared_fleet_places *p, const struct shared_fleet_plan *plan,
                              struct fleet *fleet, struct crew *const *crews);
void shared_fleet_places_release(struct shared_fleet_places *p);
/* For a new world. */
void shared_fleet_places_begin(struct shared_fleet_places *p);
/* Before the first world: this service stands on them. False when memory is out. */
bool shared_fleet_places_add(struct shared_fleet_places *p, struct service_run *s);
/* The service has begun, and is not over. */
bool shared_fleet_tenant_stands(const struct fleet_tenant *t);
/* Gives places, takes them away, asks for nodes and ends those that are empty, once over. True when
 * something changed that may let more be placed. */
bool shared_fleet_places_follow(struct shared_fleet_places *p);

#endif
