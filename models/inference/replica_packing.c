/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/replica_packing.h"

size_t packing_place(const struct packing_node *nodes, size_t count, uint64_t units)
{
    size_t best = count;
    uint64_t least = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t used = nodes[i].used;
        if (!nodes[i].open || used > PACKING_NODE_UNITS || PACKING_NODE_UNITS - used < units) {
            continue;
        }
        uint64_t room = PACKING_NODE_UNITS - used;
        if (best == count || room < least) {
            best = i;
            least = room;
        }
    }
    return best;
}

/* The largest wish that is smaller than `below`, or of its size and behind it; count: none. */
static size_t next_wish(const struct packing_wish *wishes, size_t count, size_t after)
{
    size_t next = count;
    for (size_t i = 0; i < count; i++) {
        bool behind = after == count || wishes[i].units < wishes[after].units ||
                      (wishes[i].units == wishes[after].units && i > after);
        if (behind && (next == count || wishes[i].units > wishes[next].units)) {
            next = i;
        }
    }
    return next;
}

uint32_t packing_nodes_for(const struct packing_wish *wishes, size_t count, uint64_t *rooms,
                           uint32_t most)
{
    uint32_t nodes = 0;
    for (size_t w = next_wish(wishes, count, count); w < count; w = next_wish(wishes, count, w)) {
        for (uint32_t k = 0; k < wishes[w].count; k++) {
            uint32_t best = nodes;
            for (uint32_t i = 0; i < nodes; i++) {
                bool fits = rooms[i] >= wishes[w].units;
                best = fits && (best == nodes || rooms[i] < rooms[best]) ? i : best;
            }
            if (best == nodes) {
                if (nodes == most) {
                    return most + 1;
                }
                rooms[nodes++] = PACKING_NODE_UNITS;
            }
            rooms[best] -= wishes[w].units;
        }
    }
    return nodes;
}
