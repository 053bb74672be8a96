/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_plan.h"

#include "engine/text.h"
#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"
#include "models/jobs/jobs_checks.h"
#include "models/policies/checkpoint_interval.h"

#include <math.h>
#include <string.h>

static struct place terms_place(const struct jobs_making *m)
{
    return work_terms_place(&m->terms, m->request->strategy);
}

static struct place own_place(const struct jobs_making *m)
{
    return m->spec->item.place;
}

/* ---- ways to buy ---- */

/* Where the strategy says nothing, trials have the nodes that they take at a time. */
static int64_t base_nodes(const struct jobs_making *m, const struct instance_type *type)
{
    const struct jobs_spec *s = m->spec;
    if (m->terms.nodes > 0 || s->trials == 0) {
        return m->terms.nodes;
    }
    const struct jobs_entry e = {.gpus = (uint32_t)fmax(1, floor(type->accelerator_count))};
    const struct job_width w = jobs_width(&e, (uint32_t)s->nodes_each, (uint32_t)s->gpus_each);
    double at_a_time = (double)(s->at_a_time > 0 ? s->at_a_time : s->trials);
    double share = e.gpus >= 2 * w.gpus ? floor((double)e.gpus / w.gpus) : 1;
    return (int64_t)fmin(ceil(at_a_time / share) * w.nodes, JOBS_MAX_NODES + 1.0);
}

static bool check_nodes(const struct jobs_making *m, const struct fill_spec *f, int64_t nodes,
                        struct place where)
{
    if (nodes <= 0) {
        return f == NULL
                   ? jobs_refuse(m, where,
                                 "strategy '%s' does not say how many nodes run the jobs of '%s'; "
                                 "expected 'nodes: N'",
                                 m->strategy, m->workload)
                   : jobs_refuse(m, where,
                                 "each way to buy for the jobs of '%s' needs a number: 'nodes: N' "
                                 "in the entry of 'fill'",
                                 m->workload);
    }
    return nodes <= JOBS_MAX_NODES ||
           work_complain(m->c, DIAGNOSTIC_INFEASIBLE, where, false,
                         "strategy '%s' wants %lld nodes for the jobs of '%s'; at most %d can be "
                         "simulated",
                         m->strategy, (long long)nodes, m->workload, JOBS_MAX_NODES);
}

static const struct number *speed_of(const struct jobs_making *m, const struct instance_type *type)
{
    const struct relative_speed_spec *s = m->spec->speed.items;
    for (size_t i = 0; i < m->spec->speed.count; i++) {
        if (strcmp(s[i].item.name, type->name) == 0) {
            return &s[i].factor;
        }
    }
    return NULL;
}

static bool add_entry(const struct jobs_making *m, const struct fill_spec *f, bool single)
{
    struct jobs_plan *p = m->plan;
    struct place where;
    struct strategy_terms terms = independent_terms_of(&m->terms, f, &where);
    const struct instance_type *type = work_type(m->request, &terms, m->workload);
    if (type == NULL) {
        return false;
    }
    const int64_t nodes = single ? base_nodes(m, type) : f->nodes;
    if (!check_nodes(m, single ? NULL : f, nodes, single ? terms_place(m) : f->item.place)) {
        return false;
    }
    const enum purchase purchase = (enum purchase)f->buy;
    int pool = work_pool(m->request, &terms, m->workload, type, purchase, where);
    if (pool < 0) {
        return false;
    }
    for (size_t i = 0; i < p->work.pool_count; i++) {
        if (p->work.pools[i].pool == pool) {
            return jobs_refuse(
                m, f->item.place,
                "'fill' of strategy '%s' names the same nodes twice; for the jobs of "
                "'%s' join the two entries",
                m->strategy, m->workload);
        }
    }
    uint32_t most = work_most_nodes(m->request, pool);
    if (nodes > (int64_t)most && purchase != PURCHASE_SPOT) {
        return work_complain(m->c, DIAGNOSTIC_INFEASIBLE, where, false,
                             "strategy '%s' wants %lld nodes for '%s', but there are at most %u of "
                             "'%s' %s",
                             m->strategy, (long long)nodes, m->workload, most, type->name,
                             purchase_names[purchase]);
    }
    p->work.pools[p->work.pool_count++] =
        (struct work_pool){.pool = pool, .purchase = purchase, .nodes = (uint32_t)nodes};
    p->entries[p->entry_count++] =
        (struct jobs_entry){.nodes = (uint32_t)nodes,
                            .gpus = (uint32_t)fmax(1, floor(type->accelerator_count)),
                            .speed = speed_of(m, type),
                            .every_s = HUGE_VAL};
    return true;
}

static bool make_entries(const struct jobs_making *m)
{
    const struct fill_spec *f = m->terms.fill.items;
    const struct fill_spec single = {.item.place = terms_place(m), .buy = m->terms.buy};
    bool good = true;
    for (size_t i = 0; i < m->terms.fill.count; i++) {
        good &= add_entry(m, &f[i], false);
    }
    if (m->terms.fill.count == 0) {
        good = add_entry(m, &single, true);
    }
    return good && work_check_bought(m->request, &m->terms, m->workload,
                                     work_plan_buys(&m->plan->work, PURCHASE_BLOCK),
                                     work_plan_buys(&m->plan->work, PURCHASE_OWNED));
}

struct job_width jobs_width(const struct jobs_entry *e, uint32_t nodes, uint32_t gpus)
{
    if (gpus == 0) {
        return (struct job_width){nodes > 0 ? nodes : 1, e->gpus};
    }
    return gpus < e->gpus ? (struct job_width){1, gpus}
                          : (struct job_width){(gpus + e->gpus - 1) / e->gpus, e->gpus};
}

/* ---- what fits ---- */

static bool fits(const struct jobs_making *m, uint32_t nodes, uint32_t gpus)
{
    bool any = false;
    for (size_t e = 0; e < m->plan->entry_count; e++) {
        any =
            any || jobs_width(&m->plan->entries[e], nodes, gpus).nodes <= m->plan->entries[e].nodes;
    }
    return any;
}

static bool refuse_width(const struct jobs_making *m, struct place where, const char *name,
                         uint32_t nodes, uint32_t gpus)
{
    return work_complain(m->c, DIAGNOSTIC_INFEASIBLE, where, false,
                         "%s%s of '%s' needs %u %s at once, more than any way to buy of "
                         "strategy '%s' has; it would wait for ever",
                         name[0] == '\0' ? "a job" : "job ", name, m->workload,
                         gpus > 0 ? gpus : nodes, gpus > 0 ? "GPUs" : "nodes", m->strategy);
}

static bool check_widths(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    const struct listed_job_spec *items = s->list.items;
    const uint32_t nodes = (uint32_t)s->nodes_each, gpus = (uint32_t)s->gpus_each;
    for (size_t i = 0; i < s->list.count; i++) {
        bool own = items[i].nodes > 0 || items[i].gpus > 0;
        uint32_t n = own ? (uint32_t)items[i].nodes : nodes;
        uint32_t g = own ? (uint32_t)items[i].gpus : gpus;
        if (!fits(m, n, g)) {
            return refuse_width(m, items[i].item.place, items[i].name == NULL ? "" : items[i].name,
                                n, g);
        }
    }
    for (size_t i = 0; i < s->rows.count; i++) {
        const struct job_row *r = &s->rows.items[i];
        bool own = r->nodes > 0 || r->gpus > 0;
        uint32_t n = own ? r->nodes : nodes, g = own ? r->gpus : gpus;
        if (!fits(m, n, g)) {
            return refuse_width(m, s->file_place, r->name, n, g);
        }
    }
    return s->list.count + s->rows.count > 0 || fits(m, nodes, gpus) ||
           refuse_width(m, terms_place(m), "", nodes, gpus);
}

/* ---- checkpoints ---- */

/* Of a job of the usual width. */
static void plan_interval(const struct jobs_making *m, size_t entry)
{
    const struct jobs_checkpoint_spec *c = &m->spec->checkpoint;
    struct jobs_entry *e = &m->plan->entries[entry];
    const struct work_pool *pool = &m->plan->work.pools[entry];
    const struct job_width w =
        jobs_width(e, (uint32_t)m->spec->nodes_each, (uint32_t)m->spec->gpus_each);
    double rate = market_planned_loss_rate(m->request->market, pool->pool, w.nodes);
    bool saves = m->spec->checkpoint_on_notice &&
                 c->write.median <= market_planned_notice_s(m->request->market, pool->pool);
    char text[32];
    e->every_s = fmax(1, checkpoint_interval_s(saves ? 0 : rate, c->write.median));
    const char *what = work_text(m->c, "checkpoint interval of a job of %s, %s", m->workload,
                                 purchase_names[pool->purchase]);
    if (isinf(e->every_s)) {
        assumptions_add(m->c->assumptions, false, "auto", what, "none: %s",
                        saves ? "one fits into the notice, which saves the work"
                              : "nothing is ever lost");
    } else {
        assumptions_add(m->c->assumptions, false, "auto", what,
                        "%s of useful work (Lambert W, %.3g losses a day of %u node%s)",
                        quantity_time_text(e->every_s, text), rate * 86400, w.nodes,
                        text_plural(w.nodes));
    }
}

static void make_intervals(const struct jobs_making *m)
{
    const struct jobs_checkpoint_spec *c = &m->spec->checkpoint;
    bool planned = !c->every.given || c->every.word == 0;
    for (size_t e = 0; e < m->plan->entry_count && c->mode == SAVE_AT_TIMES; e++) {
        if (planned) {
            plan_interval(m, e);
        } else {
            m->plan->entries[e].every_s = c->every.median;
        }
    }
}

static void warn_of_spot(const struct jobs_making *m)
{
    if (m->spec->checkpoint.mode == SAVE_NEVER && work_plan_buys(&m->plan->work, PURCHASE_SPOT)) {
        work_complain(m->c, DIAGNOSTIC_WARNING, own_place(m), true,
                      "jobs of '%s' write no checkpoints: one that loses a node starts all over "
                      "again",
                      m->workload);
    }
}

/* ---- as planning sees it ---- */

struct planned_work {
    double jobs, node_s, longest_s;
};

static void add_planned(const struct jobs_plan *p, struct planned_work *sum, double jobs,
                        double duration_s, double gpu_s, uint32_t nodes, uint32_t gpus)
{
    const struct jobs_entry *e = &p->entries[0];
    const struct job_width w = jobs_width(e, nodes, gpus);
    double speed = e->speed == NULL ? 1 : e->speed->median;
    double used = (double)w.nodes * w.gpus, wide = gpus > 0 ? gpus : used;
    double length_s = (isnan(duration_s) ? gpu_s / wide : duration_s) / speed;
    sum->jobs += jobs;
    sum->node_s += jobs * length_s * used / e->gpus;
    sum->longest_s = fmax(sum->longest_s, length_s);
}

/* For how long jobs come at random. */
static double arrivals_last_s(const struct jobs_plan *p)
{
    return p->until_s - (p->work.awaits ? 0 : p->work.submit_s);
}

static struct planned_work planned(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    const struct jobs_plan *p = m->plan;
    const double grow = p->work.project == NULL ? 1 : project_work_factor(p->work.project, NULL);
    const uint32_t nodes = (uint32_t)s->nodes_each, gpus = (uint32_t)s->gpus_each;
    double duration_s = s->duration_given ? variate_planned_mean(&s->duration) : (double)NAN;
    double gpu_s = s->gpu_hours_given ? 3600 * variate_planned_mean(&s->gpu_hours) : (double)NAN;
    struct planned_work sum = {0};
    const struct listed_job_spec *items = s->list.items;
    for (size_t i = 0; i < s->list.count; i++) {
        const struct listed_job_spec *j = &items[i];
        bool own = j->nodes > 0 || j->gpus > 0, sized = j->duration.given || j->gpu_hours.given;
        add_planned(p, &sum, (double)j->count,
                    j->duration.given ? j->duration.median
                    : sized           ? (double)NAN
                                      : duration_s,
                    j->gpu_hours.given ? 3600 * j->gpu_hours.median
                    : sized            ? (double)NAN
                                       : gpu_s,
                    own ? (uint32_t)j->nodes : nodes, own ? (uint32_t)j->gpus : gpus);
    }
    for (size_t i = 0; i < s->rows.count && s->rows.items[i].submit_s <= p->until_s; i++) {
        const struct job_row *r = &s->rows.items[i];
        bool own = r->nodes > 0 || r->gpus > 0;
        add_planned(p, &sum, 1, r->duration_s, r->gpu_s, own ? r->nodes : nodes,
                    own ? r->gpus : gpus);
    }
    if (s->trials > 0) {
        double stopped = s->stop_early.share.median, after = s->stop_early.after.median;
        double whole = 1 - stopped + stopped * after;
        add_planned(p, &sum, (double)s->trials, duration_s * whole, gpu_s * whole, nodes, gpus);
    } else if (jobs_at_random(s)) {
        double gap_s = s->rate.given ? 1 / s->rate.median : variate_planned_mean(&s->interarrival);
        double jobs = arrivals_last_s(p) / fmax(gap_s, 1e-9);
        add_planned(p, &sum, jobs, duration_s, gpu_s, nodes, gpus);
    }
    sum.node_s *= grow;
    sum.longest_s *= grow;
    return sum;
}

/* The time of all work on all nodes, or up to the last arrival. */
static bool make_planned(const struct jobs_making *m)
{
    struct jobs_plan *p = m->plan;
    const struct planned_work sum = planned(m);
    double arrivals_s = jobs_at_random(m->spec)
                            ? arrivals_last_s(p)
                            : fmin(jobs_last_known_s(p), p->until_s) - p->work.submit_s;
    double wide = 0; /* overflow helps too */
    for (size_t e = 0; e < p->entry_count; e++) {
        wide += p->entries[e].nodes;
    }
    if (m->spec->trials > 0 && m->spec->at_a_time > 0) {
        const struct job_width w =
            jobs_width(&p->entries[0], (uint32_t)m->spec->nodes_each, (uint32_t)m->spec->gpus_each);
        double used = (double)w.nodes * w.gpus / p->entries[0].gpus;
        wide = fmin(wide, (double)m->spec->at_a_time * used);
    }
    p->planned_jobs = sum.jobs;
    p->planned_node_s = sum.node_s;
    p->work.planned_work_s = fmax(fmax(sum.node_s / wide, sum.longest_s), arrivals_s);
    p->work.planned_overhead_s = variate_planned_mean(&m->spec->boot);
    return sum.jobs <= JOBS_MAX ||
           work_complain(m->c, DIAGNOSTIC_INFEASIBLE, own_place(m), true,
                         "some %.3g jobs of '%s' come in a world; at most %d can be simulated: "
                         "shorten 'until' or lower its rate",
                         sum.jobs, m->workload, JOBS_MAX);
}

static void assume_defaults(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    struct assumptions *a = m->c->assumptions;
    char text[32];
    if (!s->boot.given) {
        assumptions_add(a, false, "default", work_text(m->c, "boot of a node of %s", m->workload),
                        "%.0f s from launch to ready", variate_planned_mean(&s->boot));
    }
    if (!s->keep_idle.given) {
        assumptions_add(a, false, "default", work_text(m->c, "idle nodes of %s", m->workload),
                        "kept, and paid, for %s, then given back",
                        quantity_time_text(s->keep_idle.median, text));
    }
    if (s->discipline == SHORTEST_FIRST) {
        assumptions_add(a, false, "stated", work_text(m->c, "order of the jobs of %s", m->workload),
                        "shortest first, their durations being known when they come");
    }
    if (s->backfill == BACKFILL_EASY) {
        assumptions_add(
            a, false, s->estimate.given ? "stated" : "default",
            work_text(m->c, "durations of jobs of %s as they are handed in", m->workload),
            "%.4g of what they take", s->estimate.median);
    }
}

bool jobs_plan_make(struct jobs_plan *plan, const struct work_request *request)
{
    const struct jobs_spec *spec = request->spec;
    *plan = (struct jobs_plan){.work = {.workload = request->workload,
                                        .workload_name = spec->item.name,
                                        .place = spec->item.place,
                                        .project = request->project,
                                        .finite = true,
                                        .awaits = request->awaits,
                                        .cut_at_horizon = true,
                                        .deadline_s = HUGE_VAL},
                               .spec = spec,
                               .until_s = HUGE_VAL};
    const struct jobs_making m = {.plan = plan,
                                  .spec = spec,
                                  .request = request,
                                  .c = request->context,
                                  .terms = strategy_terms_for(request->strategy, spec->item.name),
                                  .strategy = request->strategy->item.name,
                                  .workload = spec->item.name};
    bool source = jobs_check_source(&m);
    bool sizes = jobs_check_sizes(&m);
    bool times = source && jobs_make_times(&m);
    bool terms = independent_terms_check(request, &m.terms, spec->item.name);
    if (!terms || !make_entries(&m) || !source || !sizes || !times || !check_widths(&m) ||
        !make_planned(&m)) {
        return false;
    }
    make_intervals(&m);
    warn_of_spot(&m);
    assume_defaults(&m);
    for (size_t e = 0; e < plan->entry_count; e++) {
        plan->work.nodes += plan->entries[e].nodes;
    }
    plan->work.how = independent_terms_text(&m.terms, m.c);
    return true;
}
