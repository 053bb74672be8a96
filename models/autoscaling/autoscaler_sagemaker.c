/* SPDX-License-Identifier: GPL-3.0-or-later
 * `sagemaker`: invocations per instance, by Application Auto Scaling. The target is what one
 * instance can serve, times a safety factor (AWS, "Load testing your auto scaling configuration":
 * MAX_RPS × SAFETY_FACTOR × 60 a minute, with 0.5 to begin with). */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/target_alarms.h"

#include <math.h>

struct sagemaker_params {
    struct schema_item item;
    struct number most, safety, out_cooldown, in_cooldown;
    bool scale_in;
};

struct sagemaker_state {
    struct target_alarms alarms;
    double in_at_s, out_at_s; /* of the last activity; -infinity: none */
};

static const struct schema_key keys[] = {
    {.name = "most",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e9,
     .required = true,
     .offset = offsetof(struct sagemaker_params, most),
     .help = "Invocations that one replica can serve (MAX_RPS): `20/s`."},
    {.name = "safety_factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 1e-6,
     .high = 1,
     .default_text = "0.5",
     .offset = offsetof(struct sagemaker_params, safety),
     .help = "Share of `most` that is aimed at."},
    {.name = "out_cooldown",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 86400,
     .default_text = "5min",
     .offset = offsetof(struct sagemaker_params, out_cooldown),
     .help = "After replicas were added none is taken away for so long; more may be added."},
    {.name = "in_cooldown",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 86400,
     .default_text = "5min",
     .offset = offsetof(struct sagemaker_params, in_cooldown),
     .help = "After replicas were taken away no further one is for so long; some may be added."},
    {.name = "scale_in",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct sagemaker_params, scale_in),
     .help = "`no`: it adds replicas only."},
};

const struct schema autoscaler_sagemaker_schema = {
    .name = "sagemaker",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct sagemaker_params),
    .help = "SageMaker: target tracking of invocations per instance.",
};

static double period_s(const void *params)
{
    (void)params;
    return 60.0;
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct sagemaker_state);
}

static void begin(const void *params, void *state)
{
    struct sagemaker_state *s = state;
    (void)params;
    s->in_at_s = -HUGE_VAL;
    s->out_at_s = -HUGE_VAL;
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct sagemaker_params *p = params;
    struct sagemaker_state *s = state;
    bool resting = view->now_s < s->in_at_s + p->in_cooldown.median ||
                   view->now_s < s->out_at_s + p->out_cooldown.median;
    struct target_terms terms = {.metric = SCALING_REQUESTS,
                                 .target = p->most.median * p->safety.median,
                                 .low_share = 0.9,
                                 .out_points = 3,
                                 .in_points = 15,
                                 .scale_in = p->scale_in && !resting};
    struct autoscaler_decision d = target_alarms_look(&s->alarms, &terms, view);
    if (d.says == AUTOSCALER_WANT) {
        *(d.replicas > view->desired ? &s->out_at_s : &s->in_at_s) = view->now_s;
    }
    return d;
}

const struct autoscaler autoscaler_sagemaker = {
    .schema = &autoscaler_sagemaker_schema,
    .period_s = period_s,
    .state_size = state_size,
    .begin = begin,
    .decide = decide,
};
