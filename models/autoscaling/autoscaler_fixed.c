/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fixed`: always the same number. */
#include "models/autoscaling/autoscaler_rows.h"

struct fixed_params {
    struct schema_item item;
    int64_t replicas;
};

static const struct schema_key keys[] = {
    {.name = "replicas",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .required = true,
     .offset = offsetof(struct fixed_params, replicas),
     .help = "How many there always are."},
};

const struct schema autoscaler_fixed_schema = {
    .name = "fixed",
    .tag = "name",
    .shorthand = "replicas",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct fixed_params),
    .help = "Always the same number of replicas.",
};

static double period_s(const void *params)
{
    (void)params;
    return 3600.0;
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct fixed_params *p = params;
    (void)state;
    (void)view;
    return autoscaler_want((uint32_t)p->replicas);
}

const struct autoscaler autoscaler_fixed = {
    .schema = &autoscaler_fixed_schema,
    .by_clock = true,
    .period_s = period_s,
    .decide = decide,
};
