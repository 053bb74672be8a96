/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/inference_work.h"

#include "engine/text.h"
#include "models/fleet/work_making.h"
#include "models/inference/llm_tables.h"
#include "models/inference/service_run.h"

#include <assert.h>
#include <math.h>

const struct service_plan *service_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_inference);
    return (const struct service_plan *)plan;
}

static bool read_files(void *of, const char *folder, const struct market_context *c)
{
    struct service_spec *spec = of;
    struct demand_spec *demand = &spec->demand;
    spec->tables = spec->is_llm ? llm_tables_new(c->arena, c->tables) : NULL;
    if (spec->is_llm && spec->tables == NULL) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, spec->item.place, "out of memory");
        return false;
    }
    if (demand->trace == NULL) {
        return true;
    }
    const char *path = work_file(c, folder, demand->trace, demand->trace_place);
    return path != NULL &&
           request_trace_read(&demand->requests, path, path, c->arena, c->diagnostics);
}

static struct work_plan *plan_work(const struct work_request *r)
{
    struct service_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !service_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_inference;
    return &plan->work;
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct service_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, NULL);
}

/* ---- in words ---- */

static void add_demand(struct text *t, const struct service_plan *p)
{
    struct demand_outlook o = demand_planned(&p->demand);
    char from[32], to[32];
    if (p->demand.trace != NULL) {
        text_format(t, "%zu requests of '%s' over %s, %s, begun %s; ", p->demand.trace->count,
                    p->spec->demand.trace,
                    quantity_time_text(request_trace_period_s(p->demand.trace), from),
                    p->spec->demand.loop ? "in a loop" : "once",
                    p->demand.begins_at_random ? "at random" : "with the first");
    }
    text_format(t, "%.4g requests/s on average, %.4g/s at the peak, from %s to %s: %.4g in all",
                o.mean, o.peak, quantity_time_text(p->demand.from_s, from),
                quantity_time_text(p->demand.end_s, to), o.requests);
}

static void add_replicas(struct text *t, const struct service_plan *p)
{
    if (p->use_count == 0) {
        text_format(t, "always %u", p->begin_replicas);
    } else {
        text_format(t, "%u to %u, scaled by ", p->min_replicas, p->max_replicas);
        for (size_t i = 0; i < p->use_count; i++) {
            text_format(t, "%s%s", i > 0 ? ", " : "", p->uses[i].autoscaler->schema->name);
        }
    }
    text_format(t, "; %u a node", p->replicas_per_node);
}

/* "5 stand for each 4 asked for; spread over us-east-1a, us-east-1b" */
static void add_footprint(struct text *t, const struct service_plan *p)
{
    const struct footprint *f = &p->footprint;
    text_format(t, "%u stand where %u are asked for", service_most_standing(p), p->max_replicas);
    if (f->spare_replicas > 0 || f->spare_nodes > 0) {
        text_format(t, ": %u spare replicas, %u spare nodes", f->spare_replicas, f->spare_nodes);
    }
    for (uint32_t z = 0; z < p->zone_count && p->zone_count > 1; z++) {
        text_format(t, "%s%s", z > 0 ? ", " : "; spread over ", p->zones[z].name);
    }
    text_add(t, f->survive_zone ? "; any one of them may be lost" : "");
}

static void add_warm_pool(struct text *t, const struct service_plan *p)
{
    char start[32];
    text_format(t, "up to %u nodes running or stopped", p->prepared);
    if (p->warm_pool.least > 0) {
        text_format(t, ", at least %lld stopped", (long long)p->warm_pool.least);
    }
    text_format(t, "; one starts in %s; what is given back %s",
                quantity_time_text(variate_planned_mean(&p->warm_pool.start), start),
                p->warm_pool.reuse ? "is stopped and kept" : "ends");
}

static void add_rollouts(struct text *t, const struct service_plan *p)
{
    const struct rollouts_spec *r = p->rollouts.spec;
    char s[32];
    text_format(t, "%.4g %% more nodes for %s", 100 * r->extra.median,
                quantity_time_text(r->takes.median, s));
    if (r->every.given) {
        text_format(t, ", every %s", quantity_time_text(r->every.median, s));
    }
    if (r->at.count > 0) {
        text_format(t, ", %zu at stated times", r->at.count);
    }
}

/* "datapoints every 60 s, seen after 120 s, within 5 %" */
static void add_monitoring(struct text *t, const struct service_plan *p)
{
    const struct monitoring_spec *m = &p->monitoring;
    char s[32];
    if (m->period.given) {
        text_format(t, "datapoints every %s", quantity_time_text(m->period.median, s));
    } else {
        text_format(t, "a datapoint at each look");
    }
    text_format(t, ", seen %s after their end", quantity_time_text(m->delay.median, s));
    if (m->noise.median > 0) {
        text_format(t, ", off by %.3g %% (standard deviation)", 100 * m->noise.median);
    }
}

/* What the service can do beside what it gets, which is what sizes it. */
static void add_sizing(struct text *t, const struct service_plan *p)
{
    double least = HUGE_VAL, peak = demand_planned(&p->demand).peak;
    for (size_t k = 0; k < service_nodes_of(p)->pool_count; k++) {
        least = fmin(least, service_most_rate(p, k));
    }
    text_format(t, "a replica serves at most %.4g requests/s: the peak keeps %.3g of them busy",
                least, peak / least);
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct service_plan *p = service_plan_of(plan);
    struct text t;
    (void)market;
    text_init(&t, 0);
    add_demand(&t, p);
    line(context, "demand", &t);
    text_clear(&t);
    add_replicas(&t, p);
    line(context, "replicas", &t);
    text_clear(&t);
    add_sizing(&t, p);
    line(context, "serving", &t);
    if (p->host != NULL) {
        text_clear(&t);
        text_format(&t, "of '%s', shared with others; a replica takes %.4g %% of a node",
                    p->host->work.workload_name, 100 * service_node_share(p, 0));
        line(context, "nodes", &t);
    }
    if (p->monitored) {
        text_clear(&t);
        add_monitoring(&t, p);
        line(context, "monitoring", &t);
    }
    if (p->zone_count > 1 || service_most_standing(p) > p->max_replicas) {
        text_clear(&t);
        add_footprint(&t, p);
        line(context, "footprint", &t);
    }
    if (p->has_warm_pool) {
        text_clear(&t);
        add_warm_pool(&t, p);
        line(context, "warm pool", &t);
    }
    if (p->rollouts.spec != NULL) {
        text_clear(&t);
        add_rollouts(&t, p);
        line(context, "rollouts", &t);
    }
    for (size_t k = 0; p->is_llm && k < service_nodes_of(p)->pool_count; k++) {
        bool said = false;
        for (size_t i = 0; i < k; i++) {
            said |= p->hosts[i].type == p->hosts[k].type;
        }
        if (!said) {
            text_clear(&t);
            llm_plan_describe(&p->llm, &p->hosts[k], &t);
            line(context, "engine", &t);
        }
    }
    text_clear(&t);
    text_format(&t, "%s: %s", p->mode.interval ? "in steps of time" : "request by request",
                p->mode.why);
    line(context, "simulated", &t);
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return service_run_new(service_plan_of(plan), fleet);
}

static void free_work(void *work)
{
    service_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    return service_run_begin(work, drawn);
}

static bool done(const void *work)
{
    return service_run_over(work);
}

static void horizon(void *work)
{
    service_run_horizon(work);
}

static void cancel(void *work)
{
    service_run_cancel(work);
}

static struct work_result result(const void *work)
{
    return service_run_result(work);
}

const struct work_kind work_inference = {
    .schema = &inference_schema,
    .sized_by_strategy = true,
    .is_service = true,
    .read_files = read_files,
    .data = data_of,
    .plan = plan_work,
    .describe = describe,
    .make = make,
    .free = free_work,
    .begin = begin,
    .done = done,
    .horizon = horizon,
    .cancel = cancel,
    .result = result,
};
