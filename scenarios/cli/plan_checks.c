/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/plan_checks.h"

#include "engine/quantity.h"
#include "engine/text.h"

#include <math.h>

/* The work is the workload's alone, whatever the strategy: the first speaks for all. */
static void check_work(const struct study *s, size_t w, struct diagnostics *d)
{
    const struct work_plan *p = s->strategies[0].plans[w];
    if (p->finite && p->planned_work_s <= 0) {
        diagnostics_add(d, DIAGNOSTIC_WARNING, p->place,
                        "workload '%s' has no work: it takes no time and costs nothing",
                        p->workload_name);
    }
}

/* Seconds from submission to the end if nothing is ever lost. */
static double needed_s(const struct work_plan *p)
{
    return p->planned_work_s + p->planned_overhead_s;
}

static void check_horizon(const struct study *s, size_t w, struct diagnostics *d)
{
    struct text names;
    double shortest_s = HUGE_VAL, left_s = 0;
    char needed[32], left[32];
    text_init(&names, 400);
    for (size_t k = 0; k < s->strategy_count; k++) {
        const struct work_plan *p = s->strategies[k].plans[w];
        left_s = s->scenario->horizon_s - p->planned_start_s;
        if (p->finite && p->cut_at_horizon && needed_s(p) > left_s) {
            shortest_s = fmin(shortest_s, needed_s(p));
            text_format(&names, "%s'%s'", names.length > 0 ? ", " : "", study_strategy_name(s, k));
        }
    }
    if (names.length > 0) {
        diagnostics_add(d, DIAGNOSTIC_WARNING, scenario_place(s->scenario, "horizon"),
                        "even if nothing is ever lost, '%s' takes %s or more with %s, but the "
                        "horizon comes %s after %s: most futures will not finish; "
                        "lengthen 'horizon' or add nodes",
                        study_workload_name(s, w), quantity_time_text(shortest_s, needed),
                        names.data, quantity_time_text(left_s, left),
                        s->strategies[0].plans[w]->awaits ? "it can begin" : "its submission");
    }
    text_release(&names);
}

void plan_checks(const struct study *s, struct diagnostics *d)
{
    for (size_t w = 0; w < s->workload_count; w++) {
        check_work(s, w, d);
        check_horizon(s, w, d);
    }
}
