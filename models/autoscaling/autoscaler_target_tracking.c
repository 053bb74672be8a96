/* SPDX-License-Identifier: GPL-3.0-or-later
 * `target-tracking`: AWS EC2 Auto Scaling keeps a metric near its target (User Guide, "Target
 * tracking scaling policies", 2023-06-15). Neither the number of datapoints nor the lower threshold
 * is documented by AWS; 3 and 15 minutes and nine tenths are what its alarms have been seen with.
 */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/target_alarms.h"

struct tracking_params {
    struct schema_item item;
    struct scaling_target target;
    struct number period, low;
    int64_t out_points, in_points;
    bool scale_in;
};

static const struct schema_key keys[] = {
    SCALING_TARGET_KEYS(struct tracking_params, target),
    {.name = "period",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3600,
     .default_text = "1min",
     .offset = offsetof(struct tracking_params, period),
     .help = "Time between two datapoints: 1 minute with detailed monitoring, else 5."},
    {.name = "out_after",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1000,
     .default_text = "3",
     .offset = offsetof(struct tracking_params, out_points),
     .help = "Datapoints in a row above the target before replicas are added."},
    {.name = "in_after",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1000,
     .default_text = "15",
     .offset = offsetof(struct tracking_params, in_points),
     .help = "Datapoints in a row below `low` of the target before replicas are taken away."},
    {.name = "low",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "90 %",
     .offset = offsetof(struct tracking_params, low),
     .help = "Share of the target below which a datapoint speaks for fewer replicas."},
    {.name = "scale_in",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct tracking_params, scale_in),
     .help = "`no`: it adds replicas only."},
};

const struct schema autoscaler_target_tracking_schema = {
    .name = "target-tracking",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct tracking_params),
    .help = "AWS target tracking: in proportion, after 3 datapoints above the target or 15 below.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct tracking_params *p = params;
    return scaling_target_check(&p->target, "target-tracking", message, size);
}

static double period_s(const void *params)
{
    const struct tracking_params *p = params;
    return p->period.median;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct tracking_params *p = params;
    return scaling_target_of(&p->target, metric);
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct target_alarms);
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct tracking_params *p = params;
    enum scaling_metric metric = scaling_target_metric(&p->target);
    struct target_terms terms = {.metric = metric,
                                 .target = p->target.of[metric].median,
                                 .low_share = p->low.median,
                                 .out_points = (uint32_t)p->out_points,
                                 .in_points = (uint32_t)p->in_points,
                                 .scale_in = p->scale_in};
    return target_alarms_look(state, &terms, view);
}

const struct autoscaler autoscaler_target_tracking = {
    .schema = &autoscaler_target_tracking_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .by_alarms = true,
    .state_size = state_size,
    .decide = decide,
};
