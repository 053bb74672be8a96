/* SPDX-License-Identifier: GPL-3.0-or-later
 * `step-scaling`: AWS step scaling (EC2 Auto Scaling User Guide, "Step and simple scaling
 * policies", 2023-06-15). Replicas that warm up count as capacity, so that one breach makes one
 * activity; while any warms up none is taken away. */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/scaling_steps.h"

struct step_params {
    struct schema_item item;
    struct scaling_steps steps;
};

static const struct schema_key keys[] = {
    SCALING_STEPS_KEYS(struct step_params, steps, 100),
};

const struct schema autoscaler_step_scaling_schema = {
    .name = "step-scaling",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct step_params),
    .help = "AWS step scaling: the further a metric is off, the larger the change.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct step_params *p = params;
    return scaling_steps_check(&p->steps, "step-scaling", message, size);
}

static double period_s(const void *params)
{
    const struct step_params *p = params;
    return p->steps.period.median;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct step_params *p = params;
    return scaling_steps_first(&p->steps, metric);
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct scaling_alarms);
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct step_params *p = params;
    struct scaling_alarm alarm = scaling_steps_look(&p->steps, state, view);
    if (alarm.add != NULL) {
        uint32_t wants = scaling_step_add(alarm.add, view->ready, p->steps.least);
        if (wants > view->desired) {
            return autoscaler_want(wants);
        }
    }
    if (alarm.take != NULL && view->warming == 0) {
        uint32_t wants = scaling_step_take(alarm.take, view->desired, p->steps.least);
        if (wants < view->desired) {
            return autoscaler_want(wants);
        }
    }
    return autoscaler_stay();
}

const struct autoscaler autoscaler_step_scaling = {
    .schema = &autoscaler_step_scaling_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .state_size = state_size,
    .decide = decide,
};
