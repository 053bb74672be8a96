/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_plan.h"

#include "engine/civil_time.h"
#include "models/fleet/fleet.h"
#include "models/policies/checkpoint_interval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Training FLOPs per parameter and token, forward and backward (Kaplan et al., arXiv 2001.08361,
 * section 2.1). */
#define FLOPS_PER_PARAMETER_AND_TOKEN 6.0

/* Everything one (workload, strategy) pair is checked against. */
struct making {
    struct training_plan *plan;
    const struct training_spec *spec;
    const struct strategy *strategy;
    struct strategy_terms terms;
    const struct instance_type *type;
    struct market_plan *market;
    const struct market_context *context;
};

static void complain(const struct making *m, enum diagnostic_kind kind, struct place where,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

static void complain(const struct making *m, enum diagnostic_kind kind, struct place where,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, where, format, args);
    va_end(args);
}

static struct place strategy_place(const struct making *m)
{
    return m->terms.item.place.file != NULL ? m->terms.item.place : m->strategy->item.place;
}

/* ---- what to buy ---- */

static bool make_terms(struct making *m)
{
    const char *strategy = m->strategy->item.name;
    const char *workload = m->plan->workload_name;
    struct place where = strategy_place(m);
    bool ok = true;
    if (m->terms.instance == NULL) {
        complain(m, DIAGNOSTIC_ERROR, where,
                 "strategy '%s' does not say which instance runs '%s'; expected 'instance: TYPE'",
                 strategy, workload);
        return false;
    }
    m->type = catalogue_type(m->context->catalogue, m->terms.instance);
    if (m->type == NULL) {
        const char *near = catalogue_suggest_type(m->context->catalogue, m->terms.instance);
        complain(m, DIAGNOSTIC_ERROR, where, "unknown instance type '%s'%s%s%s", m->terms.instance,
                 near != NULL ? "; did you mean '" : "; `fleetcast show instances` lists them",
                 near != NULL ? near : "", near != NULL ? "'?" : "");
        return false;
    }
    if (m->terms.nodes == 0) {
        complain(m, DIAGNOSTIC_ERROR, where,
                 "strategy '%s' does not say how many nodes run '%s'; expected 'nodes: N'",
                 strategy, workload);
        ok = false;
    }
    if (m->terms.nodes > CREW_MAX_NODES) {
        complain(m, DIAGNOSTIC_INFEASIBLE, where,
                 "strategy '%s' wants %lld nodes for '%s'; at most %d nodes of one job can be "
                 "simulated",
                 strategy, (long long)m->terms.nodes, workload, CREW_MAX_NODES);
        ok = false;
    }
    m->plan->policy = strategy_policy(&m->terms, &m->plan->policy_params);
    if (m->plan->policy == NULL) {
        complain(m, DIAGNOSTIC_ERROR, where,
                 "strategy '%s' does not say how to buy for '%s'; expected 'buy: on-demand' or "
                 "'buy: spot'",
                 strategy, workload);
        return false;
    }
    if (m->terms.buy >= 0 && !m->plan->policy->uses[m->terms.buy]) {
        complain(m, DIAGNOSTIC_ERROR, where,
                 "policy '%s' of strategy '%s' never buys %s; change 'buy' or 'policy'",
                 m->plan->policy->schema->name, strategy, purchase_names[m->terms.buy]);
        ok = false;
    }
    m->plan->nodes = (uint32_t)(m->terms.nodes <= CREW_MAX_NODES ? m->terms.nodes : 1);
    return ok;
}

static bool make_pools(struct making *m)
{
    struct training_plan *p = m->plan;
    struct place where = strategy_place(m);
    bool ok = true;
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        p->pools[k] = -1;
        bool finishes =
            k == PURCHASE_ON_DEMAND && m->spec->at_horizon == AT_HORIZON_FINISH_ON_DEMAND;
        if (!p->policy->uses[k] && !finishes) {
            continue;
        }
        p->pools[k] =
            market_plan_pool(m->market, m->terms.zone, m->type->name, (enum purchase)k, where);
        if (p->pools[k] < 0) {
            ok = false;
            continue;
        }
        uint32_t limit = market_planned_limit(m->market, p->pools[k]);
        if (p->nodes > limit) {
            complain(
                m, DIAGNOSTIC_INFEASIBLE, where,
                "strategy '%s' wants %u nodes for '%s', but the market has at most %u nodes of "
                "'%s' %s",
                m->strategy->item.name, p->nodes, p->workload_name, limit, m->type->name,
                purchase_names[k]);
            ok = false;
        }
    }
    return ok;
}

/* ---- how fast ---- */

static const struct throughput_spec *find_throughput(const struct schema_list *list,
                                                     const char *name)
{
    const struct throughput_spec *items = list->items;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(items[i].item.name, name) == 0) {
            return &items[i];
        }
    }
    return NULL;
}

/* A rate stated for another count of the same type: the user should hear of it. */
static const char *throughput_at_other_count(const struct schema_list *list, const char *type)
{
    const struct throughput_spec *items = list->items;
    size_t length = strlen(type);
    for (size_t i = 0; i < list->count; i++) {
        if (strncmp(items[i].item.name, type, length) == 0 && items[i].item.name[length] == ' ') {
            return items[i].item.name;
        }
    }
    return NULL;
}

static bool make_estimate(struct making *m)
{
    const struct training_spec *s = m->spec;
    struct place where = strategy_place(m);
    if (s->model.precision < 0) {
        complain(m, DIAGNOSTIC_ERROR, s->item.place,
                 "the speed of '%s' is to be estimated, but its model has no precision; expected "
                 "'model: {parameters: …, precision: bf16}'",
                 m->plan->workload_name);
        return false;
    }
    const struct accelerator *a = m->type->accelerator;
    double peak = a == NULL ? 0 : a->peak_flops[s->model.precision];
    if (!(peak > 0)) {
        complain(
            m, DIAGNOSTIC_INFEASIBLE, where,
            "'%s' (%s) has no peak for %s, so no speed can be estimated for '%s'; choose another "
            "precision or state a throughput",
            m->type->name, m->type->accelerator_name, precision_names[s->model.precision],
            m->plan->workload_name);
        return false;
    }
    m->plan->speed = SPEED_ESTIMATE;
    m->plan->peak_flops_per_node = peak * m->type->accelerator_count;
    return true;
}

/* Which of the ways to state the work is used: exactly one. */
static bool check_work(const struct making *m)
{
    const struct training_spec *s = m->spec;
    int stated = s->tokens.given + s->samples.given + s->hours.given;
    if (stated == 1) {
        return true;
    }
    complain(
        m, DIAGNOSTIC_ERROR, s->item.place,
        "workload '%s' states its work %s; expected exactly one of 'tokens', 'samples', 'hours'",
        m->plan->workload_name, stated == 0 ? "nowhere" : "more than once");
    return false;
}

static bool make_speed(struct making *m)
{
    const struct training_spec *s = m->spec;
    struct training_plan *p = m->plan;
    if (s->hours.given) {
        p->speed = SPEED_HOURS;
        return true;
    }
    char at_count[128];
    snprintf(at_count, sizeof at_count, "%s x %u", m->type->name, p->nodes);
    const struct throughput_spec *job = find_throughput(&s->job_throughput, at_count);
    if (job != NULL) {
        p->speed = SPEED_JOB_THROUGHPUT;
        p->rate = &job->rate;
        return true;
    }
    const struct throughput_spec *node = find_throughput(&s->throughput, m->type->name);
    if (node != NULL) {
        p->speed = SPEED_THROUGHPUT;
        p->rate = &node->rate;
        return true;
    }
    const char *other = throughput_at_other_count(&s->job_throughput, m->type->name);
    if (other != NULL) {
        complain(
            m, DIAGNOSTIC_ERROR, strategy_place(m),
            "strategy '%s' runs '%s' on '%s', but 'job_throughput' is stated for '%s' only; state "
            "it for this count, or a 'throughput' per node",
            m->strategy->item.name, p->workload_name, at_count, other);
        return false;
    }
    if (s->mfu.given && s->model.parameters.given && s->tokens.given) {
        return make_estimate(m);
    }
    complain(
        m, DIAGNOSTIC_ERROR, strategy_place(m),
        "nothing says how fast '%s' runs on '%s'; expected 'throughput: {%s: …/s}' in the workload"
        "%s",
        p->workload_name, m->type->name, m->type->name,
        s->tokens.given ? ", or 'model: {parameters, precision}' with 'mfu'" : "");
    return false;
}

static void assume_speed(const struct making *m)
{
    const struct training_plan *p = m->plan;
    bool scaled = p->speed == SPEED_THROUGHPUT || p->speed == SPEED_ESTIMATE;
    if (scaled && p->nodes > 1 && !m->spec->scaling.given) {
        assumptions_add(
            m->context->assumptions, false, "default",
            arena_format(m->context->arena, "scaling of %s above one node", p->workload_name),
            "%.3g of linear", m->spec->scaling.median);
    }
    if (!m->spec->boot.given) {
        assumptions_add(m->context->assumptions, false, "default",
                        arena_format(m->context->arena, "boot of a node of %s", p->workload_name),
                        "%.0f s from launch to ready", variate_planned_mean(&m->spec->boot));
    }
}

/* ---- checkpoints ---- */

/* The planned rate of losing work on this pool: what on_notice saves is not lost. */
static double losing_rate_per_s(const struct making *m, int purchase)
{
    const struct training_plan *p = m->plan;
    int pool = p->pools[purchase];
    bool saved = m->spec->on_notice == ON_NOTICE_CHECKPOINT &&
                 m->spec->checkpoint.write.median <= market_planned_notice_s(m->market, pool);
    return saved ? 0 : market_planned_loss_rate(m->market, pool, p->nodes);
}

static bool is_automatic(const struct checkpoint_spec *c)
{
    return !c->every.given || c->every.word == 0;
}

static void make_interval(struct making *m)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        p->every_s[k] = HUGE_VAL;
        if (p->pools[k] < 0 || c->mode != CHECKPOINT_PERIODIC) {
            continue;
        }
        if (!is_automatic(c)) {
            p->every_s[k] = c->every.median;
            continue;
        }
        double rate = losing_rate_per_s(m, k);
        /* Free to write means free to write often, but not infinitely often: a floor of a second.
         */
        p->every_s[k] = fmax(1, checkpoint_interval_s(rate, c->write.median));
        const char *what =
            arena_format(m->context->arena, "checkpoint interval of %s on %s nodes (%s)",
                         p->workload_name, purchase_names[k], m->strategy->item.name);
        char text[32];
        if (isinf(p->every_s[k])) {
            assumptions_add(m->context->assumptions, false, "auto", what,
                            "no periodic checkpoint: nothing is left to lose");
        } else {
            assumptions_add(m->context->assumptions, false, "auto", what,
                            "%s of useful work (Lambert W, %.3g losses a day while running)",
                            quantity_time_text(p->every_s[k], text), rate * 86400);
        }
    }
}

static bool check_checkpoints(const struct making *m)
{
    const struct training_plan *p = m->plan;
    bool none = m->spec->checkpoint.mode == CHECKPOINT_NONE;
    bool spot = p->pools[PURCHASE_SPOT] >= 0 && p->policy->uses[PURCHASE_SPOT];
    if (none && spot) {
        complain(m, DIAGNOSTIC_WARNING, m->spec->item.place,
                 "workload '%s' writes no checkpoints: every interruption throws all its work away",
                 p->workload_name);
    }
    if (none && p->policy->switches_back != NULL && p->policy->switches_back(p->policy_params)) {
        complain(
            m, DIAGNOSTIC_ERROR, strategy_place(m),
            "strategy '%s' goes back from a working gang, which needs checkpoints, but workload "
            "'%s' writes none; give it a 'checkpoint' section or drop 'return: yes'",
            m->strategy->item.name, p->workload_name);
        return false;
    }
    return true;
}

/* ---- when ---- */

static double span_end_s(const struct quantity *q, int64_t from_unix_s,
                         const struct market_context *c)
{
    int64_t end = civil_add_months(from_unix_s, q->months);
    return (double)(end - c->start_unix_s) + q->value;
}

static bool make_times(struct making *m)
{
    struct training_plan *p = m->plan;
    const struct market_context *c = m->context;
    p->submit_s = span_end_s(&m->spec->submit, c->start_unix_s, c);
    p->deadline_s = HUGE_VAL;
    bool ok = true;
    if (m->spec->deadline_given) {
        int64_t submit_unix_s = c->start_unix_s + (int64_t)p->submit_s;
        p->deadline_s = span_end_s(&m->spec->deadline, submit_unix_s, c) + fmod(p->submit_s, 1);
        if (p->deadline_s > c->horizon_s) {
            complain(m, DIAGNOSTIC_ERROR, m->spec->item.place,
                     "the deadline of '%s' lies beyond the horizon, so lateness could not be seen; "
                     "lengthen 'horizon'",
                     p->workload_name);
            ok = false;
        }
    }
    if (p->submit_s >= c->horizon_s) {
        complain(m, DIAGNOSTIC_ERROR, m->spec->item.place,
                 "'%s' is submitted at or after the horizon; lengthen 'horizon'", p->workload_name);
        ok = false;
    }
    p->planned_overhead_s =
        variate_planned_mean(&m->spec->boot) + variate_planned_mean(&m->spec->checkpoint.restore);
    return ok;
}

bool training_plan_make(struct training_plan *plan, const struct training_spec *spec,
                        uint32_t workload, const struct strategy *strategy,
                        struct market_plan *market, const struct market_context *context)
{
    *plan = (struct training_plan){
        .spec = spec, .workload = workload, .workload_name = spec->item.name};
    struct making m = {.plan = plan,
                       .spec = spec,
                       .strategy = strategy,
                       .terms = strategy_terms_for(strategy, spec->item.name),
                       .market = market,
                       .context = context};
    bool work = check_work(&m);
    bool times = make_times(&m);
    if (!make_terms(&m)) {
        return false;
    }
    bool speed = work && make_speed(&m);
    bool pools = make_pools(&m);
    if (!(times && speed && pools)) {
        return false;
    }
    assume_speed(&m);
    make_interval(&m);
    return check_checkpoints(&m);
}

double training_work_s(const struct training_plan *plan, const double *drawn)
{
    const struct training_spec *s = plan->spec;
    if (plan->speed == SPEED_HOURS) {
        return number_value(&s->hours, drawn);
    }
    double units =
        s->tokens.given ? number_value(&s->tokens, drawn) : number_value(&s->samples, drawn);
    units *= number_value(&s->epochs, drawn);
    if (units <= 0) {
        return 0;
    }
    double scaling = plan->nodes > 1 ? number_value(&s->scaling, drawn) : 1;
    double per_s = 0;
    switch (plan->speed) {
    case SPEED_JOB_THROUGHPUT:
        per_s = number_value(plan->rate, drawn);
        break;
    case SPEED_THROUGHPUT:
        per_s = number_value(plan->rate, drawn) * plan->nodes * scaling;
        break;
    case SPEED_ESTIMATE:
        per_s = plan->peak_flops_per_node * plan->nodes * scaling * number_value(&s->mfu, drawn) /
                (FLOPS_PER_PARAMETER_AND_TOKEN * number_value(&s->model.parameters, drawn));
        break;
    case SPEED_HOURS:
        break;
    }
    return units / per_s;
}

double training_every_s(const struct training_plan *plan, enum purchase purchase,
                        const double *drawn)
{
    const struct checkpoint_spec *c = &plan->spec->checkpoint;
    bool planned = is_automatic(c) || isinf(plan->every_s[purchase]);
    return planned ? plan->every_s[purchase] : number_value(&c->every, drawn);
}
