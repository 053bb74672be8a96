/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

static const char *const on_loss_names[] = {"restore", "continue", NULL};

_Static_assert(ELASTIC_RESTORE == 0 && ELASTIC_CONTINUE == 1, "the names are indexed by the enum");

#define ELASTIC(member) offsetof(struct elastic_spec, member)

static const struct schema_key elastic_keys[] = {
    {.name = "min",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .default_text = "1",
     .offset = ELASTIC(min),
     .help = "Fewest nodes that it runs on; with fewer it waits."},
    {.name = "max",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e6,
     .offset = ELASTIC(max),
     .help = "Most nodes that it runs on; default: the strategy's `nodes`, which are those it asks "
             "for."},
    {.name = "resize",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "2min",
     .offset = ELASTIC(resize),
     .help = "For which work stands still when nodes join or leave: workers start anew, the state "
             "is shared anew."},
    {.name = "settle",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "5min",
     .offset = ELASTIC(settle),
     .help = "How long a node that is ready waits at most for others that boot, so that they join "
             "together."},
    {.name = "on_loss",
     .kind = SCHEMA_CHOICE,
     .choices = on_loss_names,
     .default_text = "restore",
     .offset = ELASTIC(on_loss),
     .help = "`restore`: after a loss the others go back to the last checkpoint, and write one "
             "before nodes join; `continue`: they hold the state, and nothing is lost as long as "
             "`min` are left."},
};

const struct schema elastic_schema = {
    .name = "training.elastic",
    SCHEMA_KEYS(elastic_keys),
    .size = sizeof(struct elastic_spec),
    .help = "The job runs on as many nodes as it gets, between two numbers; its speed follows.",
};
