/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy says of the Capacity Blocks it buys: the keys of one item of `block`. */
#ifndef FLEETCAST_MODELS_BLOCK_KEYS_H
#define FLEETCAST_MODELS_BLOCK_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct block_spec {
    struct schema_item item;
    const char *starts; /* a date or a duration from the scenario's start, as written; NULL: none */
    struct place starts_place;
    bool extends; /* the item before it in the list */
    int64_t days;
    int64_t instances;      /* of one block */
    int64_t blocks;         /* equal ones, bought together */
    struct number price;    /* of one instance-hour */
    struct number upfront;  /* of all of it; at most one of the two is given */
    struct quantity bought; /* from the scenario's start */
    bool bought_given;
};
extern const struct schema block_schema;

#endif
