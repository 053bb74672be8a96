/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas of different sizes on nodes of one size: where the next one goes, from where one is
 * taken, how many nodes some still need. Best fit, as Kubernetes' MostAllocated scoring, so that
 * nodes fall empty; of equals the first node takes, and the last gives. Pure functions. */
#ifndef FLEETCAST_MODELS_REPLICA_PACKING_H
#define FLEETCAST_MODELS_REPLICA_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A node has so many units, whatever it is; a replica takes a whole number of them, rounded down,
 * so that n replicas of an n-th always fit. */
#define PACKING_NODE_UNITS (UINT64_C(1) << 40)

/* Units of a replica that takes this share of a node, in (0, 1]. */
static inline uint64_t packing_units(double share)
{
    uint64_t units = (uint64_t)(share * (double)PACKING_NODE_UNITS);
    return units > 0 ? units : 1;
}

struct packing_node {
    uint64_t used;
    bool open; /* takes replicas */
};

/* The open node with the least room that is enough; count: none has. */
size_t packing_place(const struct packing_node *nodes, size_t count, uint64_t units);

/* Replicas of one size that have no place. */
struct packing_wish {
    uint64_t units;
    uint32_t count;
};
/* Empty nodes that hold all of them, the largest placed first (best fit decreasing); rooms: scratch
 * for `most` numbers. More than `most` are told as most + 1. */
uint32_t packing_nodes_for(const struct packing_wish *wishes, size_t count, uint64_t *rooms,
                           uint32_t most);

#endif
