/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys of `search:`, the plans among which `fleetcast optimize` looks. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_KEYS_H
#define FLEETCAST_SCENARIOS_SEARCH_KEYS_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct yaml_node;

struct search_spec {
    struct schema_item item;
    const char *base;             /* the strategy whose keys plans take over; NULL: the baseline */
    const struct yaml_node *over; /* see search_space.h */
    int64_t budget;               /* strategy-worlds */
    struct quantity time_limit;
    bool time_limit_given;
    bool screen, refine;
    bool given; /* there is a `search:` */
    struct place place;
};
extern const struct schema search_schema;

#endif
