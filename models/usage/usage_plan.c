/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/usage_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"

#include <math.h>
#include <string.h>

/* Everything that is looked at while a plan is made. */
struct usage_making {
    struct usage_plan *plan;
    const struct work_request *request;
    const struct market_context *c;
    struct strategy_terms terms;
    const char *strategy, *workload;
};

static struct place terms_place(const struct usage_making *m)
{
    return work_terms_place(&m->terms, m->request->strategy);
}

static bool refuse(const struct usage_making *m, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct usage_making *m, struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->c, DIAGNOSTIC_ERROR, where, false, format, args);
    va_end(args);
    return false;
}

/* ---- what the strategy may say ---- */

/* `nodes` of the strategy itself may be meant for other workloads; its own may not. */
static bool check_nodes(const struct usage_making *m)
{
    const struct strategy_terms *own = m->request->strategy->workloads.items;
    for (size_t i = 0; i < m->request->strategy->workloads.count; i++) {
        if (strcmp(own[i].item.name, m->workload) == 0 && own[i].nodes != 0) {
            return refuse(m, own[i].nodes_place,
                          "how many nodes run for '%s' is said by the workload's own 'nodes'; drop "
                          "this one ('fill' says how many are bought in which way)",
                          m->workload);
        }
    }
    return true;
}

static bool check_terms(const struct usage_making *m)
{
    bool nodes = check_nodes(m);
    return independent_terms_check(m->request, &m->terms, m->workload) && nodes;
}

/* ---- the need ---- */

static bool make_need(const struct usage_making *m, double *most)
{
    struct usage_plan *p = m->plan;
    struct need n;
    if (!need_plan_make(&p->need, p->spec, m->request->project, m->c)) {
        return false;
    }
    *most = need_most(&p->need, m->c->inputs);
    if (*most > CREW_MAX_NODES) {
        return work_complain(m->c, DIAGNOSTIC_INFEASIBLE, p->spec->nodes_place, true,
                             "'%s' may need %.6g nodes at a time in some world; at most %d of one "
                             "workload can be simulated",
                             m->workload, *most, CREW_MAX_NODES);
    }
    need_begin(&n, &p->need, NULL);
    p->least_nodes = n.nodes;
    do {
        p->planned_node_s += (n.to_s - n.from_s) * n.nodes;
        p->least_nodes = n.nodes < p->least_nodes ? n.nodes : p->least_nodes;
        p->most_nodes = n.nodes > p->most_nodes ? n.nodes : p->most_nodes;
    } while (need_next(&n));
    if (*most <= 0) {
        work_complain(m->c, DIAGNOSTIC_WARNING, p->spec->item.place, true,
                      "workload '%s' never needs a node inside the horizon: it costs nothing",
                      m->workload);
    }
    return true;
}

/* What can never be had is unmet in every world: that may be meant, but it is said. */
static void warn_of_too_few(const struct usage_making *m)
{
    const struct usage_plan *p = m->plan;
    double most = fill_plan_most(&p->work, m->request);
    if (most < p->most_nodes) {
        work_complain(m->c, DIAGNOSTIC_WARNING, terms_place(m), false,
                      "'%s' needs up to %u nodes, but strategy '%s' can have at most %.0f at a "
                      "time; the rest is counted as unmet",
                      m->workload, p->most_nodes, m->strategy, most);
    }
}

/* ---- all of it ---- */

bool usage_plan_make(struct usage_plan *plan, const struct work_request *request)
{
    const struct usage_spec *spec = request->spec;
    *plan = (struct usage_plan){.work = {.workload = request->workload,
                                         .workload_name = spec->item.name,
                                         .place = spec->item.place,
                                         .deadline_s = HUGE_VAL},
                                .spec = spec};
    struct usage_making m = {.plan = plan,
                             .request = request,
                             .c = request->context,
                             .terms = strategy_terms_for(request->strategy, spec->item.name),
                             .strategy = request->strategy->item.name,
                             .workload = spec->item.name};
    double most = 0;
    bool need = make_need(&m, &most);
    most = fmax(most, 1); /* a pool has a slot at least */
    bool terms = check_terms(&m);
    if (!need || !terms ||
        !fill_plan_make(&plan->fill, &plan->work, request, &m.terms, m.workload, (uint32_t)most)) {
        return false;
    }
    warn_of_too_few(&m);
    plan->work.nodes = plan->most_nodes;
    plan->work.submit_s = plan->need.from_s;
    plan->work.planned_overhead_s = variate_planned_mean(&spec->boot);
    plan->work.how = independent_terms_text(&m.terms, m.c);
    if (!spec->boot.given) {
        assumptions_add(m.c->assumptions, false, "default",
                        work_text(m.c, "boot of a node of %s", m.workload),
                        "%.0f s from launch to ready", plan->work.planned_overhead_s);
    }
    return true;
}
