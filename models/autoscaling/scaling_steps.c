/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/scaling_steps.h"

#include <math.h>
#include <stdio.h>

static const struct schema_key keys[] = {
    SCALING_TARGET_KEYS(struct scaling_step, at),
    {.name = "percent",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 100,
     .offset = offsetof(struct scaling_step, percent),
     .help = "Replicas to add or take away, as a share of those that are there."},
    {.name = "count",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct scaling_step, count),
     .help = "Replicas to add or take away."},
    {.name = "exact",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct scaling_step, exact),
     .help = "How many replicas there are to be."},
};

const struct schema scaling_step_schema = {
    .name = "scaling step",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct scaling_step),
    .help = "A value of one metric, and what is done from there on: one of `percent`, `count`, "
            "`exact`.",
};

static double begins_at(const struct scaling_step *step)
{
    return step->at.of[scaling_target_metric(&step->at)].median;
}

static const struct scaling_step *first_step(const struct scaling_steps *s)
{
    return s->out.count > 0 ? s->out.items : s->in.items;
}

/* sign: +1 rising, -1 falling. */
static bool check_list(const struct schema_list *list, double sign, enum scaling_metric metric,
                       const char *who, char *message, size_t size)
{
    const struct scaling_step *steps = list->items;
    const char *which = sign > 0 ? "out" : "in";
    for (size_t i = 0; i < list->count; i++) {
        if (scaling_target_count(&steps[i].at) != 1) {
            return scaling_target_check(&steps[i].at, who, message, size);
        }
        if (scaling_target_metric(&steps[i].at) != metric) {
            snprintf(message, size, "%s has steps by '%s' and by '%s'; expected one metric", who,
                     scaling_metric_name(metric),
                     scaling_metric_name(scaling_target_metric(&steps[i].at)));
            return false;
        }
        if (steps[i].percent.given + steps[i].count.given + steps[i].exact.given != 1) {
            snprintf(message, size,
                     "step %zu of '%s' of %s says no change, or several; expected exactly one of "
                     "'percent', 'count', 'exact'",
                     i + 1, which, who);
            return false;
        }
        if (i > 0 && sign * (begins_at(&steps[i]) - begins_at(&steps[i - 1])) <= 0) {
            snprintf(message, size,
                     "step %zu of '%s' of %s begins where the one before it does, or before; "
                     "expected %s values",
                     i + 1, which, who, sign > 0 ? "rising" : "falling");
            return false;
        }
    }
    return true;
}

bool scaling_steps_check(const struct scaling_steps *s, const char *who, char *message, size_t size)
{
    const struct scaling_step *first = first_step(s);
    if (s->out.count + s->in.count == 0) {
        snprintf(message, size, "%s has no step; expected some under 'out' or 'in'", who);
        return false;
    }
    if (scaling_target_count(&first->at) != 1) {
        return scaling_target_check(&first->at, who, message, size);
    }
    enum scaling_metric metric = scaling_target_metric(&first->at);
    if (!check_list(&s->out, +1, metric, who, message, size) ||
        !check_list(&s->in, -1, metric, who, message, size)) {
        return false;
    }
    const struct scaling_step *in = s->in.items;
    if (s->out.count > 0 && s->in.count > 0 && begins_at(&in[0]) > begins_at(first)) {
        snprintf(message, size,
                 "%s takes replicas away at a higher '%s' than that at which it adds some", who,
                 scaling_metric_name(metric));
        return false;
    }
    return true;
}

/* The last step that the value reaches. sign: +1 rising, -1 falling. */
static const struct scaling_step *find_step(const struct schema_list *list, double sign,
                                            double value)
{
    const struct scaling_step *steps = list->items, *found = NULL;
    for (size_t i = 0; i < list->count && sign * (value - begins_at(&steps[i])) >= 0; i++) {
        found = &steps[i];
    }
    return found;
}

struct scaling_alarm scaling_steps_look(const struct scaling_steps *s,
                                        struct scaling_alarms *alarms,
                                        const struct autoscaler_view *view)
{
    const struct scaling_reading *r = &view->readings[scaling_target_metric(&first_step(s)->at)];
    bool known = r->known && view->ready > 0; /* without a replica there is no mean */
    double value = known ? scaling_reading_total(r, view->ready) / view->ready : 0.0;
    if (r->repeated) {
        return (struct scaling_alarm){0}; /* alarms act on datapoints */
    }
    const struct scaling_step *add = known ? find_step(&s->out, +1, value) : NULL;
    const struct scaling_step *take = known ? find_step(&s->in, -1, value) : NULL;
    bool high = metric_alarm_on(&alarms->high, known, add != NULL, (uint32_t)s->out_points);
    bool low = metric_alarm_on(&alarms->low, known, take != NULL, (uint32_t)s->in_points);
    return (struct scaling_alarm){.add = high ? add : NULL, .take = low && !high ? take : NULL};
}

static double change_of(const struct scaling_step *step, uint32_t replicas, int64_t least)
{
    if (step->count.given) {
        return floor(step->count.median);
    }
    double change = step->percent.median * replicas;
    if (!(change > 0)) {
        return 0.0;
    }
    change = change < 1 ? 1 : floor(change * (1 + 1e-12));
    return fmax(change, (double)least);
}

uint32_t scaling_step_add(const struct scaling_step *step, uint32_t replicas, int64_t least)
{
    double after =
        step->exact.given ? step->exact.median : replicas + change_of(step, replicas, least);
    return after < AUTOSCALER_MOST_REPLICAS ? (uint32_t)after : AUTOSCALER_MOST_REPLICAS;
}

uint32_t scaling_step_take(const struct scaling_step *step, uint32_t replicas, int64_t least)
{
    double after =
        step->exact.given ? step->exact.median : replicas - change_of(step, replicas, least);
    return after > 0 ? (uint32_t)after : 0;
}

double scaling_steps_first(const struct scaling_steps *s, enum scaling_metric metric)
{
    return scaling_target_of(&first_step(s)->at, metric);
}
