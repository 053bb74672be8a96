/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/notebook_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"

#include <math.h>
#include <string.h>

#define DAY_S 86400.0

/* `nodes` of the strategy itself may be meant for other workloads; its own may not. */
static bool check_nodes(const struct work_request *r, const char *workload)
{
    const struct strategy_terms *own = r->strategy->workloads.items;
    for (size_t i = 0; i < r->strategy->workloads.count; i++) {
        if (strcmp(own[i].item.name, workload) == 0 && own[i].nodes != 0) {
            return work_complain(r->context, DIAGNOSTIC_ERROR, own[i].nodes_place, false,
                                 "each of the 'people' of '%s' has a machine of their own; drop "
                                 "'nodes'",
                                 workload);
        }
    }
    return true;
}

/* A machine is one node: there is nothing to share out. */
static bool check_fill(const struct work_request *r, const struct strategy_terms *terms,
                       const char *workload)
{
    const struct fill_spec *f = terms->fill.items;
    for (size_t i = 0; i < terms->fill.count; i++) {
        if (f[i].nodes > 0) {
            return work_complain(r->context, DIAGNOSTIC_ERROR, f[i].item.place, false,
                                 "'fill' of strategy '%s' limits the nodes of a way to buy, but "
                                 "each machine of '%s' is bought by itself, in the first way that "
                                 "has it; drop its 'nodes'",
                                 r->strategy->item.name, workload);
        }
    }
    return true;
}

static void plan_use(struct notebook_plan *p)
{
    const struct notebook_spec *s = p->spec;
    double days = p->horizon_s / DAY_S * (s->weekend ? 1 : 5.0 / 7);
    p->planned_sessions = (double)s->people * days * s->use.median * (double)s->sessions;
    p->planned_node_s = p->planned_sessions * variate_planned_mean(&s->session);
}

bool notebook_plan_make(struct notebook_plan *plan, const struct work_request *request)
{
    const struct notebook_spec *spec = request->spec;
    const struct market_context *c = request->context;
    const struct strategy_terms terms = strategy_terms_for(request->strategy, spec->item.name);
    *plan = (struct notebook_plan){.work = {.workload = request->workload,
                                            .workload_name = spec->item.name,
                                            .place = spec->item.place,
                                            .deadline_s = HUGE_VAL},
                                   .spec = spec,
                                   .start_unix_s = c->start_unix_s,
                                   .horizon_s = c->horizon_s,
                                   .stop_when_idle = terms.stop_when_idle};
    bool nodes = check_nodes(request, spec->item.name);
    if (!independent_terms_check(request, &terms, spec->item.name) ||
        !check_fill(request, &terms, spec->item.name) || !nodes ||
        !fill_plan_make(&plan->fill, &plan->work, request, &terms, spec->item.name,
                        spec->people > 0 ? (uint32_t)spec->people : 1)) {
        return false;
    }
    plan_use(plan);
    plan->work.nodes = (uint32_t)spec->people;
    plan->work.planned_overhead_s = variate_planned_mean(&spec->boot);
    plan->work.how = independent_terms_text(&terms, c);
    if (fill_plan_most(&plan->work, request) < (double)spec->people) {
        work_complain(c, DIAGNOSTIC_WARNING, work_terms_place(&terms, request->strategy), false,
                      "'%s' has %lld people, but strategy '%s' can have at most %.0f machines at a "
                      "time; who finds none waits for one",
                      spec->item.name, (long long)spec->people, request->strategy->item.name,
                      fill_plan_most(&plan->work, request));
    }
    if (!spec->boot.given) {
        assumptions_add(c->assumptions, false, "default",
                        work_text(c, "boot of a machine of %s", spec->item.name),
                        "%.0f s from launch to ready", plan->work.planned_overhead_s);
    }
    if (!spec->begins.given) {
        assumptions_add(c->assumptions, false, "default",
                        work_text(c, "begin of the days of %s", spec->item.name),
                        "nine in ten from 8:00 to 10:00 UTC");
    }
    return true;
}
