/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about items that are worked off in a batch: texts to embed, images, scenes
 * to render. */
#ifndef FLEETCAST_MODELS_ITEMS_KEYS_H
#define FLEETCAST_MODELS_ITEMS_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"
#include "models/fleet/work_order.h"

#include <stdbool.h>

/* `rate: {g5.xlarge: 900/s}`: what a node of this type does. */
struct item_rate_spec {
    struct schema_item item; /* the instance type, or "any" */
    struct number rate;      /* items per second */
};

struct items_spec {
    struct schema_item item;
    struct number items;
    struct place items_place;
    struct schema_list rate; /* struct item_rate_spec */
    struct place rate_place;
    struct number chunk; /* seconds of a node's work that are kept together */
    struct place chunk_place;
    struct number load;  /* seconds from booted to working */
    struct variate boot; /* seconds from launch to booted */
    struct quantity submit, deadline;
    bool deadline_given;
    struct place submit_place, deadline_place;
    struct storage_spec storage;
    struct label_spec labels;
    struct order_spec order;
};
extern const struct schema batch_schema; /* variant "batch" of `kind` */

#endif
