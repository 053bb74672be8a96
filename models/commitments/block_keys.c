/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/block_keys.h"

#include "models/commitments/capacity_block.h"

#include <stddef.h>

#define SPEC(member) offsetof(struct block_spec, member)

static const struct schema_key block_keys[] = {
    {.name = "starts",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 32,
     .offset = SPEC(starts),
     .place_offset = SPEC(starts_place),
     .help =
         "When it begins: a date (UTC), or a duration from the scenario's start; default of the "
         "first one: the scenario's start."},
    {.name = "extends",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = SPEC(extends),
     .help = "`yes`: it begins where the one before it in the list ends, and its instances go on."},
    {.name = "days",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 182,
     .required = true,
     .offset = SPEC(days),
     .help = "How long: 1 to 14 days, or whole weeks up to 182 days; every block ends at 11:30 "
             "UTC, so that it is up to a day shorter than this."},
    {.name = "instances",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = CAPACITY_BLOCK_INSTANCES,
     .required = true,
     .offset = SPEC(instances),
     .help = "Instances of one block, at most 64."},
    {.name = "blocks",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = CAPACITY_BLOCKS_TOGETHER,
     .default_text = "1",
     .offset = SPEC(blocks),
     .help = "How many equal blocks are bought together, for more than 64 instances: at most 256 "
             "in all."},
    {.name = "price",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_PRICE,
     .low = 1e-6,
     .high = 1e6,
     .offset = SPEC(price),
     .help = "An hour of one instance, for the whole window; default: the catalogue's."},
    {.name = "upfront",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_MONEY,
     .low = 0.01,
     .high = 1e9,
     .offset = SPEC(upfront),
     .help = "In place of `price`: what all of it costs."},
    {.name = "bought",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * 365.25 * 86400,
     .offset = SPEC(bought),
     .given_offset = SPEC(bought_given),
     .help = "When it is bought, and paid, from the scenario's start; default: as soon as it is "
             "sold, eight weeks before it begins, at the earliest at the scenario's start."},
};

const struct schema block_schema = {
    .name = "strategy.block",
    SCHEMA_KEYS(block_keys),
    .size = sizeof(struct block_spec),
    .help =
        "A Capacity Block, for `buy: capacity-block`: so many instances in a fixed window, paid "
        "in advance, the whole price whatever is used. Stated at the strategy's own level, all "
        "workloads that buy so share it.",
};
