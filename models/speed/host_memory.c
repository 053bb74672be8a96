/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/host_memory.h"

const char *const host_term_names[HOST_TERM_COUNT] = {"data cache", "loader workers",
                                                      "offloaded optimizer"};

struct host_memory host_memory_of(const struct memory_spec *spec, double offloaded_bytes,
                                  double accelerators, double node_bytes)
{
    struct host_memory m = {.capacity_bytes = node_bytes};
    m.bytes[HOST_DATA_CACHE] = spec->data_cache.median;
    m.bytes[HOST_LOADER] = (double)spec->loader_workers * spec->worker_memory.median;
    m.bytes[HOST_OFFLOAD] = offloaded_bytes * accelerators;
    for (int i = 0; i < HOST_TERM_COUNT; i++) {
        m.need_bytes += m.bytes[i];
        if (m.bytes[i] > m.bytes[m.binding]) {
            m.binding = (enum host_term)i;
        }
    }
    return m;
}
