/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/fill_keys.h"

#include "models/policies/strategy.h"

#include <stddef.h>

static const struct schema_key fill_entry_keys[] = {
    {.name = "buy",
     .kind = SCHEMA_CHOICE,
     .choices = strategy_buy_names,
     .required = true,
     .offset = offsetof(struct fill_spec, buy),
     .help = "How these nodes are bought."},
    {.name = "nodes",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .offset = offsetof(struct fill_spec, nodes),
     .help = "How many at most; default: all that the entries before did not get."},
    {.name = "zone",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = offsetof(struct fill_spec, zone),
     .place_offset = offsetof(struct fill_spec, zone_place),
     .help = "The zone they run in; default: the strategy's."},
    {.name = "instance",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = offsetof(struct fill_spec, instance),
     .place_offset = offsetof(struct fill_spec, instance_place),
     .help = "Their instance type, each as good as one of the others; default: the strategy's."},
};

const struct schema fill_schema = {
    .name = "strategy.fill",
    .shorthand = "buy",
    SCHEMA_KEYS(fill_entry_keys),
    .size = sizeof(struct fill_spec),
    .help = "One of several ways to buy, in order: each takes what those before it did not get; "
            "the word after `buy` alone may stand in its place.",
};
