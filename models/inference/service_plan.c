/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"
#include "models/inference/service_fleet_plan.h"
#include "models/inference/service_full_cache.h"
#include "models/inference/service_memory.h"
#include "models/inference/service_swings.h"
#include "models/inference/service_tenancy.h"

#include <math.h>
#include <string.h>

#define ANY_TYPE "any"

/* ---- how a replica serves ---- */

/* The objectives, and one way to serve. */
static bool check_ways(const struct service_making *m)
{
    const struct service_spec *spec = m->plan->spec;
    const struct slo_spec *slo = &spec->slo;
    bool tokens = slo->ttft.given || slo->tpot.given;
    if (spec->is_llm == (spec->serving.count > 0)) {
        return service_refuse(
            m, spec->item.place, true,
            "'%s' states %s; expected exactly one of 'service' and 'llm'", m->workload,
            spec->is_llm ? "both 'service' and 'llm'" : "neither 'service' nor 'llm'");
    }
    if (spec->has_slo && !tokens && !slo->latency.given) {
        return service_refuse(m, spec->item.place, true,
                              "'slo' of '%s' states nothing; expected 'latency', 'ttft' or 'tpot'",
                              m->workload);
    }
    return !tokens || spec->is_llm ||
           service_refuse(
               m, spec->item.place, true,
               "'slo' of '%s' states times of tokens, which only an 'llm' makes; expected "
               "'latency'",
               m->workload);
}

static bool check_admission(const struct service_making *m)
{
    const struct admission_spec *a = &m->plan->spec->admission;
    bool limits =
        a->in_flight > 0 || a->in_flight_per_replica > 0 || a->rate.given || a->wait.given;
    return !m->plan->spec->has_admission || limits ||
           service_refuse(m, a->place, true,
                          "'admission' of '%s' limits nothing; expected 'in_flight', "
                          "'in_flight_per_replica', 'rate' or 'wait', or no 'admission'",
                          m->workload);
}

/* What the workload says of itself, whatever the strategy. */
static bool check_serving(const struct service_making *m)
{
    const struct serving_spec *s = m->plan->spec->serving.items;
    bool good = true;
    for (size_t i = 0; i < m->plan->spec->serving.count; i++) {
        const char *name = s[i].item.name;
        if (strcmp(name, ANY_TYPE) != 0 && catalogue_type(m->c->catalogue, name) == NULL) {
            const char *near = catalogue_suggest_type(m->c->catalogue, name);
            good = service_refuse(
                m, s[i].item.place, true,
                "unknown instance type '%.60s' in 'service' of '%s'%s%s%s; expected one "
                "of the catalogue, or 'any'",
                name, m->workload, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                near != NULL ? "'?" : "");
        }
        if (s[i].time.given == s[i].batched) {
            good = service_refuse(
                m, s[i].item.place, true,
                "'%s' in 'service' of '%s' states %s; expected exactly one of 'time' and "
                "'batch'",
                name, m->workload, s[i].batched ? "both 'time' and 'batch'" : "no time of service");
        }
        if (s[i].sharing && (s[i].batched || s[i].slots < 2)) {
            good = service_refuse(
                m, s[i].item.place, true,
                "the slots of '%s' on %s are to share one accelerator, but there %s; "
                "expected 'sharing' with 'time' and 'slots' of 2 or more",
                m->workload, name, s[i].batched ? "are batches" : "is only one");
        }
        if (s[i].time.given && !(variate_planned_mean(&s[i].time) > 0)) {
            good = service_refuse(m, s[i].item.place, true,
                                  "requests of '%s' on %s take no time; expected a 'time' above 0",
                                  m->workload, name);
        }
        if (s[i].batched && !(s[i].batch.base.median + s[i].batch.each.median > 0)) {
            good =
                service_refuse(m, s[i].item.place, true,
                               "batches of '%s' on %s take no time; expected a 'base' or an 'each' "
                               "above 0",
                               m->workload, name);
        }
    }
    return good;
}

static const struct serving_spec *find_serving(const struct service_making *m, const char *type)
{
    const struct serving_spec *s = m->plan->spec->serving.items, *any = NULL;
    for (size_t i = 0; i < m->plan->spec->serving.count; i++) {
        if (strcmp(s[i].item.name, type) == 0) {
            return &s[i];
        }
        if (strcmp(s[i].item.name, ANY_TYPE) == 0) {
            any = &s[i];
        }
    }
    return any;
}

/* Of a type, told where it is named. */
static bool replicas_of_type(const struct service_making *m, const struct instance_type *type,
                             struct place where, uint32_t *replicas)
{
    if (m->plan->is_llm) {
        struct llm_host_plan host;
        bool good = llm_plan_host(&m->plan->llm, type, m->c, where, &host);
        *replicas = host.replicas_per_node;
        return good;
    }
    const struct serving_spec *serving = find_serving(m, type->name);
    *replicas = serving == NULL ? 0 : (uint32_t)serving->replicas_per_node;
    return serving != NULL ||
           service_refuse(
               m, m->plan->spec->serving_place, false,
               "'service' of '%s' does not say how a replica serves on %s, which strategy '%s' "
               "uses; expected '%s: {time: …}', or 'any: {time: …}'",
               m->workload, type->name, m->strategy, type->name);
}

/* Of the types that the strategy names, before there are pools: nodes follow from replicas. */
static bool replicas_of_terms(const struct service_making *m, const struct strategy_terms *terms,
                              struct place where, uint32_t *replicas)
{
    const struct instance_type *type = work_type(m->request, terms, m->workload);
    return type != NULL && replicas_of_type(m, type, where, replicas);
}

/* On nodes of others these are bought already. */
static bool find_replicas_on_host(const struct service_making *m)
{
    const struct work_plan *nodes = &m->plan->host->work;
    struct place where = work_terms_place(&m->terms, m->request->strategy);
    for (size_t k = 0; k < nodes->pool_count; k++) {
        uint32_t here;
        if (!replicas_of_type(m, market_pool_info(m->request->market, nodes->pools[k].pool)->type,
                              where, &here)) {
            return false;
        }
        if (k > 0 && here != m->plan->replicas_per_node) {
            return service_refuse(
                m, where, false,
                "strategy '%s' mixes nodes with %u and with %u replicas of '%s' in '%s'; expected "
                "the same on all of them",
                m->strategy, m->plan->replicas_per_node, here, m->workload, nodes->workload_name);
        }
        m->plan->replicas_per_node = here;
    }
    return true;
}

static bool find_replicas_per_node(const struct service_making *m)
{
    if (m->plan->host != NULL) {
        return find_replicas_on_host(m);
    }
    const struct fill_spec *f = m->terms.fill.items;
    if (m->terms.fill.count == 0) {
        return replicas_of_terms(m, &m->terms, work_terms_place(&m->terms, m->request->strategy),
                                 &m->plan->replicas_per_node);
    }
    for (size_t i = 0; i < m->terms.fill.count; i++) {
        struct place where;
        struct strategy_terms terms = independent_terms_of(&m->terms, &f[i], &where);
        uint32_t here;
        if (!replicas_of_terms(m, &terms, where, &here)) {
            return false;
        }
        if (i > 0 && here != m->plan->replicas_per_node) {
            return service_refuse(
                m, m->terms.fill_place, false,
                "'fill' of strategy '%s' mixes nodes with %u and with %u replicas of "
                "'%s'; expected the same 'replicas_per_node' on all of them",
                m->strategy, m->plan->replicas_per_node, here, m->workload);
        }
        m->plan->replicas_per_node = here;
    }
    return true;
}

static bool set_serving_of_pools(const struct service_making *m)
{
    const struct work_plan *nodes = service_nodes_of(m->plan);
    for (size_t k = 0; k < nodes->pool_count; k++) {
        const struct instance_type *type =
            market_pool_info(m->request->market, nodes->pools[k].pool)->type;
        if (!m->plan->is_llm) {
            m->plan->serving[k] = find_serving(m, type->name);
        } else if (!llm_plan_host(&m->plan->llm, type, m->c, m->plan->work.place,
                                  &m->plan->hosts[k])) {
            return false;
        }
    }
    return true;
}

/* ---- who scales ---- */

/* What is chosen is not drawn: a range in its place changes nothing from world to world. */
static void warn_of_uncertain(const struct service_making *m, struct place where, const char *key,
                              const char *of)
{
    work_complain(m->c, DIAGNOSTIC_WARNING, where, true,
                  "'%s'%s%s is uncertain: its median counts in all worlds, since settings of "
                  "autoscalers are chosen; compare several strategies, or sweep it",
                  key, of[0] != '\0' ? " of " : "", of);
}

static bool set_autoscalers(const struct service_making *m)
{
    const struct schema_variant_item *items = m->terms.autoscale.items;
    struct service_plan *p = m->plan;
    bool good = true;
    for (size_t i = 0; i < m->terms.autoscale.count; i++) {
        const struct autoscaler *a = autoscaler_table[items[i].variant.index];
        const void *params = items[i].variant.params;
        char message[400];
        if (a->check != NULL && !a->check(params, message, sizeof message)) {
            good = service_refuse(m, ((const struct schema_item *)params)->place, false, "%s",
                                  message);
        }
        const struct schema_key *uncertain = schema_first_uncertain(a->schema, params);
        if (uncertain != NULL) {
            warn_of_uncertain(m, ((const struct schema_item *)params)->place, uncertain->name,
                              a->schema->name);
        }
        p->of_jobs |= a->of_jobs;
        p->uses[p->use_count++] = (struct autoscaler_use){.autoscaler = a, .params = params};
    }
    return good;
}

/* Nodes, tables and memory are made for `max_replicas`: no action may let more stand. */
static bool check_limits_set(const struct service_making *m, int64_t most)
{
    const struct service_plan *p = m->plan;
    for (size_t i = 0; i < p->use_count; i++) {
        const struct autoscaler *a = p->uses[i].autoscaler;
        const uint32_t highest = a->highest_limit != NULL ? a->highest_limit(p->uses[i].params) : 0;
        if ((int64_t)highest > most) {
            return service_refuse(
                m, ((const struct schema_item *)p->uses[i].params)->place, false,
                "%s of strategy '%s' sets a limit of %u replicas of '%s', above 'max_replicas: "
                "%lld'; raise that to %u",
                a->schema->name, m->strategy, highest, m->workload, (long long)most, highest);
        }
    }
    return true;
}

/* Replicas that are asked for by the clock lie within the limits of their time: EC2 Auto Scaling
 * would refuse them, and nobody who states 30 expects 20. */
static bool check_replicas_set(const struct service_making *m)
{
    static const char *const days[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};
    const struct service_plan *p = m->plan;
    struct autoscaler_group group;
    struct autoscaler_outside found;
    char when[64] = "";
    if (!autoscaler_group_init(&group, m->c->arena, p->uses, p->use_count, p->min_replicas,
                               p->max_replicas)) {
        return work_complain(m->c, DIAGNOSTIC_FAILURE, p->spec->item.place, true, "out of memory");
    }
    autoscaler_group_begin(&group, 0);
    if (!autoscaler_group_goes_outside(&group, &found)) {
        return true;
    }
    if (found.by_time) {
        const int minutes = (int)(found.of_week_s / 60) % (7 * 1440);
        snprintf(when, sizeof when, " on %s at %02d:%02d UTC, when", days[minutes / 1440],
                 minutes / 60 % 24, minutes % 60);
    }
    return service_refuse(
        m, m->terms.autoscale_place, false,
        "strategy '%s' asks for %u replicas of '%s'%s%s at least %u and at most %u may stand; "
        "change 'min_replicas' or 'max_replicas'%s",
        m->strategy, found.replicas, m->workload, when, found.by_time ? "" : ", of which",
        found.minimum, found.maximum, found.by_time ? ", or 'min' and 'max' of actions" : "");
}

static bool set_replicas(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    /* On nodes of others those are for other workloads. */
    int64_t nodes = p->host != NULL ? 0 : m->terms.nodes, begin = nodes * p->replicas_per_node;
    struct place where = work_terms_place(&m->terms, m->request->strategy);
    if (p->use_count == 0) {
        if (nodes <= 0) {
            return service_refuse(
                m, where, false,
                "strategy '%s' does not say how many replicas '%s' has; expected 'nodes: "
                "N' for a fixed number, or 'autoscale'",
                m->strategy, m->workload);
        }
        if (m->terms.min_replicas_given || m->terms.max_replicas_given) {
            return service_refuse(
                m, where, false,
                "strategy '%s' states limits of the replicas of '%s', but nothing scales "
                "them; add 'autoscale', or drop them",
                m->strategy, m->workload);
        }
        p->min_replicas = p->max_replicas = p->begin_replicas = (uint32_t)begin;
    } else {
        if (!m->terms.max_replicas_given) {
            return service_refuse(
                m, m->terms.autoscale_place, false,
                "strategy '%s' scales '%s' without a limit; expected 'max_replicas: N'",
                m->strategy, m->workload);
        }
        int64_t least = m->terms.min_replicas_given ? m->terms.min_replicas : !p->of_jobs;
        int64_t most = m->terms.max_replicas;
        if (least > most) {
            return service_refuse(
                m, m->terms.autoscale_place, false,
                "strategy '%s' wants at least %lld replicas of '%s', and at most %lld", m->strategy,
                (long long)least, m->workload, (long long)most);
        }
        if (!check_limits_set(m, most)) {
            return false;
        }
        begin = nodes <= 0 ? least : begin;
        p->min_replicas = (uint32_t)least;
        p->max_replicas = (uint32_t)most;
        p->begin_replicas = (uint32_t)(begin < least ? least : begin > most ? most : begin);
        if (!check_replicas_set(m)) {
            return false;
        }
    }
    p->warm_up_s = m->terms.warm_up.given ? m->terms.warm_up.median : 0;
    if (m->terms.warm_up.given && m->terms.warm_up.input >= 0) {
        warn_of_uncertain(m, m->terms.warm_up_place, "warm_up", "");
    }
    return true;
}

/* ---- all of it ---- */

double service_most_rate(const struct service_plan *plan, size_t pool)
{
    const struct serving_spec *s = plan->serving[pool];
    if (plan->is_llm) {
        return llm_saturated_rate(&plan->hosts[pool].rules, &plan->llm.lengths);
    }
    if (!s->batched) {
        double mean_s = variate_planned_mean(&s->time);
        double at_a_time = s->sharing ? 1 : (double)s->slots;
        return mean_s > 0 ? at_a_time / mean_s : HUGE_VAL;
    }
    double b = (double)s->batch.most, base_s = s->batch.base.median,
           all_s = s->batch.each.median * b;
    double takes_s = s->batch.law == BATCH_LINEAR ? base_s + all_s : hypot(base_s, all_s);
    return (double)s->slots * b / takes_s;
}

/* A world of a year at some requests a second is days of work: that is said before it begins. */
static bool check_requests(const struct service_making *m)
{
    double requests = m->plan->work.planned_requests;
    return m->plan->mode.interval || requests <= SERVICE_MOST_REQUESTS ||
           work_complain(m->c, DIAGNOSTIC_INFEASIBLE, m->plan->spec->item.place, true,
                         "'%s' gets about %.3g requests in a world; at most %.3g can be simulated "
                         "one by one; state 'mode: interval', shorten the horizon, or simulate a "
                         "part of the service",
                         m->workload, requests, SERVICE_MOST_REQUESTS);
}

/* Requests one by one, or steps: whatever the strategy; one that cannot be simulated so is refused.
 */
static bool choose_mode(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    p->mode = service_mode_choose(p->spec, &p->demand);
    const char *cannot = p->mode.interval ? service_mode_refusal(p->spec) : NULL;
    if (cannot != NULL) {
        return service_refuse(m, p->spec->item.place, true,
                              "'%s' cannot be simulated in intervals: %s; state 'mode: requests'",
                              m->workload, cannot);
    }
    if (p->mode.interval && p->of_jobs) {
        return service_refuse(
            m, m->terms.autoscale_place, false,
            "strategy '%s' has a job for each request of '%s', which cannot be simulated "
            "in intervals (%s); state 'mode: requests' in '%s'",
            m->strategy, m->workload, p->mode.why, m->workload);
    }
    if (p->mode.interval && p->use_count > 0 && p->min_replicas == 0) {
        return service_refuse(
            m, m->terms.autoscale_place, false,
            "strategy '%s' may scale '%s' to no replica at all, which cannot be simulated "
            "in intervals (%s): what a cold start costs hangs on single requests; state "
            "'mode: requests' in '%s'",
            m->strategy, m->workload, p->mode.why, m->workload);
    }
    if (p->mode.interval && !service_datapoints_fit(p)) {
        return service_refuse(
            m, m->terms.monitoring_place, false,
            "datapoints of %.6g s end in the middle of the steps of %.6g s in which '%s' "
            "is simulated (%s); expected a certain 'period' of which one is a multiple "
            "of the other, or 'mode: requests' in '%s'",
            p->monitoring.period.median, service_looks_every_s(p), m->workload, p->mode.why,
            m->workload);
    }
    if (p->mode.errs && p->spec->is_llm) {
        work_complain(m->c, DIAGNOSTIC_WARNING, p->spec->item.place, true,
                      "'%s' is simulated in steps, %s: 3 to 20 points of its objective, and some "
                      "per cent of its cost, were measured; expected 'mode: requests'",
                      m->workload, p->mode.why);
    }
    assumptions_add(m->c->assumptions, false, p->spec->mode == SERVICE_AUTO ? "rule" : "stated",
                    work_text(m->c, "how requests of %s are simulated", m->workload),
                    p->mode.interval ? "in steps of the autoscaler's period: %s" : "one by one: %s",
                    p->mode.why);
    return true;
}

/* One table says how all replicas fare: they must be of one type. */
static bool set_table(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    if (!p->is_llm || !p->mode.interval) {
        return true;
    }
    for (size_t k = 1; k < service_nodes_of(p)->pool_count; k++) {
        if (p->hosts[k].type != p->hosts[0].type) {
            return service_refuse(
                m,
                p->host != NULL ? work_terms_place(&m->terms, m->request->strategy)
                                : m->terms.fill_place,
                false,
                "strategy '%s' serves '%s' on %s and on %s, which cannot be simulated in "
                "intervals (%s): a router tells them apart by what each has in flight; "
                "state 'mode: requests' in '%s'",
                m->strategy, m->workload, p->hosts[0].type->name, p->hosts[k].type->name,
                p->mode.why, m->workload);
        }
    }
    const struct demand_spec *d = &p->spec->demand;
    p->table =
        llm_tables_place(p->spec->tables, m->c->arena, &p->llm, &p->hosts[0], d->cv.median, d->law);
    if (p->table == NULL) {
        work_complain(m->c, DIAGNOSTIC_FAILURE, p->spec->item.place, true, "out of memory");
    }
    return p->table != NULL;
}

static void warn_of_too_few(const struct service_making *m)
{
    const struct service_plan *p = m->plan;
    double most = fill_plan_most(service_nodes_of(p), m->request) * p->replicas_per_node;
    if (most < service_most_standing(p)) {
        work_complain(m->c, DIAGNOSTIC_WARNING, work_terms_place(&m->terms, m->request->strategy),
                      false,
                      "'%s' may want %u replicas, but strategy '%s' can have at most %.0f at a "
                      "time",
                      m->workload, service_most_standing(p), m->strategy, most);
    }
}

bool service_plan_make(struct service_plan *plan, const struct work_request *request)
{
    const struct service_spec *spec = request->spec;
    *plan = (struct service_plan){.work = {.workload = request->workload,
                                           .workload_name = spec->item.name,
                                           .place = spec->item.place,
                                           .deadline_s = HUGE_VAL},
                                  .spec = spec,
                                  .is_llm = spec->is_llm,
                                  .has_slo = spec->has_slo};
    struct service_making m = {.plan = plan,
                               .request = request,
                               .c = request->context,
                               .terms = strategy_terms_for(request->strategy, spec->item.name),
                               .strategy = request->strategy->item.name,
                               .workload = spec->item.name};
    bool demand = demand_plan_make(&plan->demand, &spec->demand, spec->item.name, request->project,
                                   request->context);
    bool good = check_ways(&m) && service_set_host(&m) && check_admission(&m) &&
                check_serving(&m) && demand &&
                (!spec->is_llm ||
                 llm_plan_make(&plan->llm, &spec->llm, m.workload, plan->demand.trace, m.c)) &&
                (plan->host != NULL || independent_terms_check(request, &m.terms, m.workload)) &&
                find_replicas_per_node(&m) && set_autoscalers(&m) && set_replicas(&m) &&
                service_check_jobs(&m) && service_set_monitoring(&m) && service_set_footprint(&m);
    good = good && (plan->host != NULL ? service_stand_on_host(&m)
                                       : service_fill_zones(&m) && service_set_warm_pool(&m));
    if (!good || !set_serving_of_pools(&m) || !service_set_memory(&m)) {
        return false;
    }
    plan->work.planned_requests = demand_planned(&plan->demand).requests;
    if (!choose_mode(&m) || !service_check_swings(&m) || !service_check_full_cache(&m) ||
        !set_table(&m) || !check_requests(&m)) {
        return false;
    }
    warn_of_too_few(&m);
    if (spec->has_slo && !spec->slo.share.given) {
        assumptions_add(m.c->assumptions, false, "default",
                        work_text(m.c, "share of an hour's requests of %s that meets its objective",
                                  m.workload),
                        "%.3g %%, for the hour to have met it", 100 * spec->slo.share.median);
    }
    plan->work.submit_s = plan->demand.from_s;
    if (plan->host != NULL) {
        plan->work.planned_overhead_s = plan->host->work.planned_overhead_s + spec->load.median;
        plan->work.how = work_text(m.c, "on the nodes of '%s'", spec->fleet);
        return true;
    }
    plan->work.nodes = service_most_nodes(plan);
    plan->work.planned_overhead_s = variate_planned_mean(&spec->boot) + spec->load.median;
    plan->work.how = independent_terms_text(&m.terms, m.c);
    if (!spec->boot.given) {
        assumptions_add(m.c->assumptions, false, "default",
                        work_text(m.c, "boot of a node of %s", m.workload),
                        "%.0f s from launch to ready", variate_planned_mean(&spec->boot));
    }
    return true;
}
