/* SPDX-License-Identifier: GPL-3.0-or-later
 * `warm_pool:` of a strategy: nodes that were made ready once and stopped, to be started when more
 * are wanted (EC2 Auto Scaling, "Warm pools"). */
#ifndef FLEETCAST_MODELS_WARM_POOL_KEYS_H
#define FLEETCAST_MODELS_WARM_POOL_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct warm_pool_spec {
    int64_t least;    /* MinSize */
    int64_t prepared; /* MaxGroupPreparedCapacity */
    bool prepared_given;
    struct variate start; /* seconds from start to booted */
    struct number load;   /* seconds; not given: as of a new node */
    bool reuse;           /* InstanceReusePolicy: ReuseOnScaleIn */
};
extern const struct schema warm_pool_schema;

#endif
