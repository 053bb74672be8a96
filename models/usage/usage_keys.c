/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/usage_keys.h"

#include "models/fleet/crew.h"

#include <stddef.h>

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

enum { MOST_ITEMS = 1000 };

/* ---- the need ------------------------------------------------------------------------------- */

#define NEED(member) offsetof(struct need_item, member)

static const struct schema_key need_keys[] = {
    {.name = "nodes",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = CREW_MAX_NODES,
     .offset = NEED(nodes),
     .help = "How many nodes run."},
    {.name = "from",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = NEED(from),
     .place_offset = NEED(from_place),
     .help = "Since when: a date or time (UTC), or a time from the scenario's start such as `36h`; "
             "default: the start."},
    {.name = "for",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 1,
     .high = 10 * YEAR_S,
     .offset = NEED(length),
     .given_offset = NEED(length_given),
     .help = "For how long; default: without end."},
    {.name = "file",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 1024,
     .offset = NEED(file),
     .place_offset = NEED(file_place),
     .help = "In place of `nodes`: a CSV file with the columns `time` and `nodes`."},
};

static const struct schema need_schema = {
    .name = "usage.nodes",
    .shorthand = "nodes",
    SCHEMA_KEYS(need_keys),
    .size = sizeof(struct need_item),
    .help = "A number of nodes that run by the clock; the number alone may stand in its place. 24 "
            "or 168 numbers are a profile: one for each hour (UTC) of the day, or of the week from "
            "Monday on.",
};

/* ---- the workload --------------------------------------------------------------------------- */

#define USAGE(member) offsetof(struct usage_spec, member)

static const struct schema_key usage_keys[] = {
    {.name = "nodes",
     .kind = SCHEMA_LIST,
     .inner = &need_schema,
     .list_or_one = true,
     .low = 1,
     .high = MOST_ITEMS,
     .required = true,
     .offset = USAGE(nodes),
     .place_offset = USAGE(nodes_place),
     .help = "How many nodes run and when: a number, a list of `{from, for, nodes}` whose items "
             "add up, a profile of 24 or 168 hours, or `{file: FILE.csv}`."},
    {.name = "scale",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e6,
     .default_text = "1",
     .offset = USAGE(scale),
     .help = "Multiplies all of them; what results is rounded to whole nodes."},
    {.name = "from",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = USAGE(from),
     .place_offset = USAGE(from_place),
     .help = "When it begins: a date or time (UTC), or a time from the scenario's start; default: "
             "the start."},
    {.name = "until",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = USAGE(until),
     .place_offset = USAGE(until_place),
     .help = "When it ends, likewise; default: with its list, or never."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = USAGE(boot),
     .help = "Time from a node's launch to its being ready."},
    STORAGE_KEYS(struct usage_spec),
    LABEL_KEY_OWNER(USAGE(labels), "Whose nodes they are: split.csv splits the cost by owner."),
    LABEL_KEY_TAGS(USAGE(labels)),
};

const struct schema usage_schema = {
    .name = "usage",
    .tag = "kind",
    SCHEMA_KEYS(usage_keys),
    .size = sizeof(struct usage_spec),
    .help = "Usage without a job: a stated number of independent nodes that run by the clock.",
};
