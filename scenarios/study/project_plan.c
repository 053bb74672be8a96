/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/project_plan.h"

#include "models/fleet/work_making.h"

#include <math.h>

static bool make_deadline(struct study *s, const struct market_context *c)
{
    const struct scenario *sc = s->scenario;
    if (!sc->deadline_given) {
        return true;
    }
    s->order.deadline_place = sc->deadline_place;
    s->order.deadline_s = work_span_end_s(&sc->deadline, c->start_unix_s, c);
    return s->order.deadline_s <= c->horizon_s ||
           work_complain(c, DIAGNOSTIC_ERROR, sc->deadline_place, true,
                         "the project's deadline lies beyond the horizon, so lateness could not be "
                         "seen; lengthen 'horizon'");
}

bool project_plan_order(struct study *s, const struct market_context *c)
{
    const struct schema_variant_item *workloads = s->scenario->workloads.items;
    struct work_step *steps = arena_array(c->arena, s->workload_count + 1, sizeof *steps);
    for (size_t w = 0; steps != NULL && w < s->workload_count; w++) {
        steps[w] = (struct work_step){
            .name = workloads[w].item.name,
            .spec = study_work_kind(s, w)->data(workloads[w].variant.params, c).order};
    }
    return steps != NULL && work_order_make(&s->order, steps, s->workload_count, c) &&
           make_deadline(s, c);
}

static bool check_deadline(const struct study *s, const struct work_plan *plan,
                           const struct market_context *c)
{
    return !plan->finite || isinf(plan->deadline_s) || plan->deadline_s <= s->order.deadline_s ||
           work_complain(c, DIAGNOSTIC_ERROR, plan->place, true,
                         "the deadline of '%s' lies behind that of the project; drop one of them",
                         plan->workload_name);
}

bool project_plan_times(const struct study *s, struct work_plan **plans,
                        const struct market_context *c)
{
    double *begins_s = arena_array(c->arena, s->workload_count, sizeof *begins_s);
    double *lasts_s = arena_array(c->arena, s->workload_count, sizeof *lasts_s);
    if (begins_s == NULL || lasts_s == NULL) {
        return false;
    }
    for (size_t w = 0; w < s->workload_count; w++) {
        begins_s[w] = plans[w]->submit_s;
        lasts_s[w] = plans[w]->planned_work_s + plans[w]->planned_overhead_s;
    }
    work_order_plan(&s->order, lasts_s, begins_s);
    bool good = true;
    for (size_t w = 0; w < s->workload_count; w++) {
        plans[w]->planned_start_s = begins_s[w];
        good &= check_deadline(s, plans[w], c);
    }
    return good;
}
