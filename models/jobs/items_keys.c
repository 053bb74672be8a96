/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/items_keys.h"

#include <stddef.h>

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

#define RATE(member) offsetof(struct item_rate_spec, member)

static const struct schema_key rate_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e12,
     .required = true,
     .offset = RATE(rate),
     .help = "Items that a node does, as measured: `900/s`, `40/h`."},
};

static const struct schema rate_schema = {
    .name = "batch.rate",
    .shorthand = "rate",
    SCHEMA_KEYS(rate_keys),
    .size = sizeof(struct item_rate_spec),
    .help = "How fast a node of an instance type works; the rate alone may stand in its place.",
};

#define ITEMS(member) offsetof(struct items_spec, member)

static const struct schema_key items_keys[] = {
    {.name = "items",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e15,
     .required = true,
     .offset = ITEMS(items),
     .place_offset = ITEMS(items_place),
     .help = "How many there are: `40M`."},
    {.name = "rate",
     .kind = SCHEMA_MAP,
     .inner = &rate_schema,
     .low = 1,
     .high = 200,
     .required = true,
     .offset = ITEMS(rate),
     .place_offset = ITEMS(rate_place),
     .help = "Items that a node does, by instance type: `{g5.xlarge: 900/s}`; `any` stands for "
             "those that are not named."},
    {.name = "chunk",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 30 * DAY_S,
     .default_text = "10min",
     .offset = ITEMS(chunk),
     .place_offset = ITEMS(chunk_place),
     .help =
         "Work that a node takes at a time, and writes when it is done: so much is lost at most "
         "when a node vanishes."},
    {.name = "load",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = ITEMS(load),
     .help = "Time from a node's boot until it works: image, weights."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = ITEMS(boot),
     .help = "Time from a node's launch to its being ready."},
    {.name = "submit",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * YEAR_S,
     .default_text = "0s",
     .offset = ITEMS(submit),
     .place_offset = ITEMS(submit_place),
     .help = "When it begins, counted from the scenario's start; with `after` no earlier."},
    {.name = "deadline",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 1,
     .high = 10 * YEAR_S,
     .offset = ITEMS(deadline),
     .place_offset = ITEMS(deadline_place),
     .given_offset = ITEMS(deadline_given),
     .help = "When all of them have to be done, counted from `submit`."},
    STORAGE_KEYS(struct items_spec),
    LABEL_KEY_OWNER(ITEMS(labels), "Whose work it is: split.csv splits the cost by owner."),
    LABEL_KEY_TAGS(ITEMS(labels)),
    ORDER_KEYS(ITEMS(order)),
};

const struct schema batch_schema = {
    .name = "batch",
    .tag = "kind",
    SCHEMA_KEYS(items_keys),
    .size = sizeof(struct items_spec),
    .help = "A number of items that independent nodes work off at a measured rate.",
};
