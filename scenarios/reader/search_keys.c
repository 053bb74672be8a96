/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/search_keys.h"

#include <stddef.h>

#define SPEC(member) offsetof(struct search_spec, member)

static const struct schema_key search_keys[] = {
    {.name = "base",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = SPEC(base),
     .help = "The strategy whose keys every plan has, but for those searched; default: the "
             "baseline."},
    {.name = "over",
     .kind = SCHEMA_ANY,
     .required = true,
     .offset = SPEC(over),
     .help = "The keys that are searched, with their values: a mapping of keys of a strategy "
             "(`nodes`, `policy.after`) or of a workload (`workloads.NAME.checkpoint.every`), or a "
             "list of such mappings, which are searched one after the other."},
    {.name = "budget",
     .kind = SCHEMA_INTEGER,
     .low = 100,
     .high = 1e9,
     .default_text = "50k",
     .offset = SPEC(budget),
     .help = "How many strategy-worlds may be simulated: one plan in one world is one of them."},
    {.name = "time_limit",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 30 * 86400.0,
     .offset = SPEC(time_limit),
     .given_offset = SPEC(time_limit_given),
     .help = "Stops the search after so long, between two rounds; such a search cannot be "
             "repeated, and its result says so. Default: none."},
    {.name = "screen",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = SPEC(screen),
     .help = "Leaves out, without simulating it, what could not end in time, keep a condition or "
             "be the cheapest if nothing ever went wrong."},
    {.name = "refine",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = SPEC(refine),
     .help = "Goes on between the values of a range without steps, by a minimiser, around the best "
             "plan found."},
};

const struct schema search_schema = {
    .name = "search",
    SCHEMA_KEYS(search_keys),
    .size = sizeof(struct search_spec),
    .help = "The plans among which `fleetcast optimize` looks for the best; other verbs do not "
            "read it.",
};
