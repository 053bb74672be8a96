/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hardware that is bought in place of rented: the keys of `owned`. */
#ifndef FLEETCAST_MODELS_OWNED_KEYS_H
#define FLEETCAST_MODELS_OWNED_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdint.h>

struct owned_spec {
    struct schema_item item;
    int64_t nodes;
    struct number capital;          /* of one node */
    struct quantity life;           /* months and seconds */
    struct quantity available_from; /* from the scenario's start */
    struct quantity reuse;          /* share of the value left at the horizon */
    struct number power_kw, pue;    /* of one node that runs; whole site over it */
    struct number per_kwh;
    struct number staff, colocation; /* a month, of all nodes */
};
extern const struct schema owned_schema;

#endif
