/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/replica_memory.h"

#include <math.h>

#define GIB 1073741824.0
#define GB  1e9

static double count_of(const struct instance_type *type)
{
    return fmax(1.0, floor(type->accelerator_count));
}

double replica_memory_of_one(const struct instance_type *type)
{
    const struct accelerator *a = type->accelerator;
    return a == NULL ? 0 : fmin(type->accelerator_memory_bytes, a->memory_bytes / GIB * GB);
}

double replica_memory_room(const struct instance_type *type, uint32_t replicas_per_node)
{
    double one = replica_memory_of_one(type), count = count_of(type);
    return replicas_per_node <= count ? one * floor(count / replicas_per_node)
                                      : one / ceil(replicas_per_node / count);
}

double replica_memory_part(const struct instance_type *type, uint32_t replicas_per_node)
{
    return replica_memory_of_one(type) * count_of(type) / replicas_per_node;
}

uint32_t replica_memory_most(const struct instance_type *type, double bytes)
{
    double one = replica_memory_of_one(type), count = count_of(type);
    if (!(one > 0) || !(bytes > 0)) {
        return 0;
    }
    return (uint32_t)fmin(1000, bytes <= one ? count * floor(one / bytes)
                                             : floor(count / ceil(bytes / one)));
}
