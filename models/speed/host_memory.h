/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a node keeps in its main memory: only what is stated or follows from it (a cache of data,
 * loader processes, optimizer state that accelerators put there). What the operating system, the
 * framework's processes and their pinned buffers take is not in it. */
#ifndef FLEETCAST_MODELS_HOST_MEMORY_H
#define FLEETCAST_MODELS_HOST_MEMORY_H

#include "models/speed/memory_keys.h"

enum host_term { HOST_DATA_CACHE, HOST_LOADER, HOST_OFFLOAD, HOST_TERM_COUNT };
extern const char *const host_term_names[HOST_TERM_COUNT];

struct host_memory {
    double bytes[HOST_TERM_COUNT];
    double need_bytes, capacity_bytes;
    enum host_term binding;
};

/* Of one node with so many accelerators, as planning sees it. */
struct host_memory host_memory_of(const struct memory_spec *spec, double offloaded_bytes,
                                  double accelerators, double node_bytes);

/* Above the capacity it is refused; above this share of it, warned of: the system needs some. */
#define HOST_MEMORY_WARN 0.90

#endif
