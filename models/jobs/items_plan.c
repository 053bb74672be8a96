/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/items_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"

#include <math.h>
#include <string.h>

#define ANY_TYPE "any"

/* Chunks of a world: each takes an event. */
#define MOST_CHUNKS 2e7

struct items_making {
    struct items_plan *plan;
    const struct work_request *request;
    const struct market_context *c;
    struct strategy_terms terms;
    const char *workload;
};

static bool refuse(const struct items_making *m, struct place where, bool once, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

static bool refuse(const struct items_making *m, struct place where, bool once, const char *format,
                   ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->c, DIAGNOSTIC_ERROR, where, once, format, args);
    va_end(args);
    return false;
}

/* ---- what the workload says ---- */

static bool check_types(const struct items_making *m)
{
    const struct item_rate_spec *r = m->plan->spec->rate.items;
    bool good = true;
    for (size_t i = 0; i < m->plan->spec->rate.count; i++) {
        const char *name = r[i].item.name;
        if (strcmp(name, ANY_TYPE) != 0 && catalogue_type(m->c->catalogue, name) == NULL) {
            const char *near = catalogue_suggest_type(m->c->catalogue, name);
            good = refuse(m, r[i].item.place, true,
                          "unknown instance type '%.60s' in 'rate' of '%s'%s%s%s; expected one of "
                          "the catalogue, or 'any'",
                          name, m->workload, near != NULL ? "; did you mean '" : "",
                          near != NULL ? near : "", near != NULL ? "'?" : "");
        }
    }
    return good;
}

static bool make_times(const struct items_making *m)
{
    struct work_plan *w = &m->plan->work;
    const struct items_spec *s = m->plan->spec;
    const struct market_context *c = m->c;
    w->submit_s = work_span_end_s(&s->submit, c->start_unix_s, c);
    if (w->submit_s >= c->horizon_s) {
        return refuse(m, s->submit_place, true,
                      "'%s' is submitted at or after the horizon; lengthen 'horizon'", m->workload);
    }
    if (s->deadline_given) {
        int64_t submit_unix_s = c->start_unix_s + (int64_t)w->submit_s;
        w->deadline_s = work_span_end_s(&s->deadline, submit_unix_s, c) + fmod(w->submit_s, 1);
    } else if (m->request->deadline_s > 0) {
        w->deadline_s = m->request->deadline_s;
    }
    if (isfinite(w->deadline_s) && w->deadline_s > c->horizon_s) {
        return refuse(
            m, s->deadline_place, true,
            "the deadline of '%s' lies beyond the horizon, so lateness could not be seen; "
            "lengthen 'horizon'",
            m->workload);
    }
    return true;
}

/* ---- what the strategy says ---- */

static bool make_nodes(const struct items_making *m)
{
    if (m->terms.nodes <= 0) {
        return refuse(
            m, work_terms_place(&m->terms, m->request->strategy), false,
            "strategy '%s' does not say how many nodes work off '%s'; expected 'nodes: N'",
            m->request->strategy->item.name, m->workload);
    }
    m->plan->work.nodes = (uint32_t)m->terms.nodes;
    return independent_terms_check(m->request, &m->terms, m->workload) &&
           fill_plan_make(&m->plan->fill, &m->plan->work, m->request, &m->terms, m->workload,
                          m->plan->work.nodes);
}

static const struct number *find_rate(const struct items_making *m, const char *type)
{
    const struct item_rate_spec *r = m->plan->spec->rate.items;
    const struct number *any = NULL;
    for (size_t i = 0; i < m->plan->spec->rate.count; i++) {
        if (strcmp(r[i].item.name, type) == 0) {
            return &r[i].rate;
        }
        if (strcmp(r[i].item.name, ANY_TYPE) == 0) {
            any = &r[i].rate;
        }
    }
    return any;
}

static bool set_rates(const struct items_making *m)
{
    struct items_plan *p = m->plan;
    for (size_t k = 0; k < p->work.pool_count; k++) {
        const char *type = market_pool_info(m->request->market, p->work.pools[k].pool)->type->name;
        p->rate[k] = find_rate(m, type);
        if (p->rate[k] == NULL) {
            return refuse(
                m, p->spec->rate_place, false,
                "'rate' of '%s' does not say how fast %s works, which strategy '%s' uses; "
                "expected '%s: 100/s', or 'any: 100/s'",
                m->workload, type, m->request->strategy->item.name, type);
        }
    }
    return true;
}

/* ---- as planning sees it ---- */

/* Of all nodes, as many of each entry as it may have. */
static double planned_rate(const struct items_plan *p)
{
    double rate = 0;
    uint32_t rest = p->work.nodes;
    for (size_t i = 0; i < p->fill.count; i++) {
        const struct fill_entry *e = &p->fill.entries[i];
        uint32_t taken = e->most < rest ? e->most : rest;
        rate += taken * p->rate[e->pool]->median;
        rest -= taken;
    }
    return rate;
}

static bool make_planned(const struct items_making *m)
{
    struct items_plan *p = m->plan;
    const struct items_spec *s = p->spec;
    double slowest = HUGE_VAL;
    for (size_t k = 0; k < p->work.pool_count; k++) {
        slowest = fmin(slowest, p->rate[k]->median);
    }
    p->planned_items = s->items.median *
                       (p->work.project == NULL ? 1 : project_work_factor(p->work.project, NULL));
    p->boot_mean_s = variate_planned_mean(&s->boot);
    p->work.planned_work_s = p->planned_items / planned_rate(p);
    p->work.planned_overhead_s = p->boot_mean_s + s->load.median;
    double chunks = p->planned_items / (slowest * s->chunk.median);
    return chunks <= MOST_CHUNKS ||
           work_complain(
               m->c, DIAGNOSTIC_INFEASIBLE, s->chunk_place, true,
               "'%s' would be worked off in some %.3g chunks; at most %g can be simulated: "
               "lengthen 'chunk'",
               m->workload, chunks, MOST_CHUNKS);
}

static void assume_defaults(const struct items_making *m)
{
    const struct items_spec *s = m->plan->spec;
    char text[32];
    if (!s->boot.given) {
        assumptions_add(m->c->assumptions, false, "default",
                        work_text(m->c, "boot of a node of %s", m->workload),
                        "%.0f s from launch to ready", m->plan->boot_mean_s);
    }
    if (!s->chunk.given) {
        assumptions_add(m->c->assumptions, false, "default",
                        work_text(m->c, "work of %s that is written at a time", m->workload),
                        "%s of a node", quantity_time_text(s->chunk.median, text));
    }
}

bool items_plan_make(struct items_plan *plan, const struct work_request *request)
{
    const struct items_spec *spec = request->spec;
    *plan = (struct items_plan){.work = {.workload = request->workload,
                                         .workload_name = spec->item.name,
                                         .place = spec->item.place,
                                         .project = request->project,
                                         .finite = true,
                                         .awaits = request->awaits,
                                         .cut_at_horizon = true,
                                         .deadline_s = HUGE_VAL},
                                .spec = spec};
    struct items_making m = {.plan = plan,
                             .request = request,
                             .c = request->context,
                             .terms = strategy_terms_for(request->strategy, spec->item.name),
                             .workload = spec->item.name};
    bool types = check_types(&m), times = make_times(&m);
    if (!make_nodes(&m) || !types || !times || !set_rates(&m) || !make_planned(&m)) {
        return false;
    }
    assume_defaults(&m);
    plan->work.how = independent_terms_text(&m.terms, m.c);
    return true;
}
