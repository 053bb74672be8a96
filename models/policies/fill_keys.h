/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fill:` of a strategy: several ways to buy, each of which takes what those before it did not get.
 */
#ifndef FLEETCAST_MODELS_FILL_KEYS_H
#define FLEETCAST_MODELS_FILL_KEYS_H

#include "engine/schema.h"

#include <stdint.h>

/* Most ways to buy in one list. */
enum { FILL_ENTRIES_MAX = 16 };

/* Absent keys: nodes 0, zone and instance NULL. */
struct fill_spec {
    struct schema_item item;
    int buy;                     /* index into strategy_buy_names */
    int64_t nodes;               /* most of them; 0: all the rest */
    const char *zone, *instance; /* where they differ from the strategy's */
    struct place zone_place, instance_place;
};
extern const struct schema fill_schema;

#endif
