/* SPDX-License-Identifier: GPL-3.0-or-later
 * `simple-scaling`: one change per alarm, then a rest (EC2 Auto Scaling User Guide, "Scaling
 * cooldowns", 2023-06-15): the cooldown begins when the last replica of the activity has finished
 * launching or ending, and until it is over no further activity begins. */
#include "models/autoscaling/autoscaler_rows.h"
#include "models/autoscaling/scaling_steps.h"

struct simple_params {
    struct schema_item item;
    struct scaling_steps steps;
    struct number cooldown;
};

struct simple_state {
    struct scaling_alarms alarms;
    bool acted;
    double acted_at_s;
};

static const struct schema_key keys[] = {
    SCALING_STEPS_KEYS(struct simple_params, steps, 1),
    {.name = "cooldown",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 86400,
     .default_text = "5min",
     .offset = offsetof(struct simple_params, cooldown),
     .help = "Rest after an activity, from when its last replica has come or gone."},
};

const struct schema autoscaler_simple_scaling_schema = {
    .name = "simple-scaling",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct simple_params),
    .help = "AWS simple scaling: one change, then a cooldown.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct simple_params *p = params;
    return scaling_steps_check(&p->steps, "simple-scaling", message, size);
}

static double period_s(const void *params)
{
    const struct simple_params *p = params;
    return p->steps.period.median;
}

static double aims_at(const void *params, enum scaling_metric metric)
{
    const struct simple_params *p = params;
    return scaling_steps_first(&p->steps, metric);
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct simple_state);
}

/* The last activity goes on, or its cooldown does. */
static bool rests(const struct simple_params *p, const struct simple_state *s,
                  const struct autoscaler_view *view)
{
    if (!s->acted) {
        return false;
    }
    double done_s = view->changed_at_s > s->acted_at_s ? view->changed_at_s : s->acted_at_s;
    return view->warming > 0 || view->now_s < done_s + p->cooldown.median;
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct simple_params *p = params;
    struct simple_state *s = state;
    struct scaling_alarm alarm = scaling_steps_look(&p->steps, &s->alarms, view);
    if (rests(p, s, view) || (alarm.add == NULL && alarm.take == NULL)) {
        return autoscaler_stay();
    }
    uint32_t wants = alarm.add != NULL
                         ? scaling_step_add(alarm.add, view->desired, p->steps.least)
                         : scaling_step_take(alarm.take, view->desired, p->steps.least);
    if (wants == view->desired) {
        return autoscaler_stay();
    }
    s->acted = true;
    s->acted_at_s = view->now_s;
    return autoscaler_want(wants);
}

const struct autoscaler autoscaler_simple_scaling = {
    .schema = &autoscaler_simple_scaling_schema,
    .check = check,
    .period_s = period_s,
    .aims_at = aims_at,
    .state_size = state_size,
    .decide = decide,
};
