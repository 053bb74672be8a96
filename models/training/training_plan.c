/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_plan.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/fleet/work_making.h"
#include "models/training/asking_limits.h"
#include "models/training/checkpoint_plan.h"
#include "models/training/reliability_plan.h"
#include "models/training/training_speed.h"
#include "models/training/training_zones.h"
#include "models/training/zone_span.h"

#include <math.h>
#include <string.h>

/* ---- what to buy ---- */

/* The plan's nodes stay 0 where they are wrong. */
static bool make_nodes(struct making *m)
{
    if (m->terms.nodes == 0) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "strategy '%s' does not say how many nodes run '%s'; expected 'nodes: N'",
            m->strategy->item.name, m->plan->work.workload_name);
    }
    if (m->terms.nodes > CREW_MAX_NODES) {
        return making_complain(m, DIAGNOSTIC_INFEASIBLE, m->terms.nodes_place,
                               "strategy '%s' wants %lld nodes for '%s'; at most %d nodes of one "
                               "job can be simulated",
                               m->strategy->item.name, (long long)m->terms.nodes,
                               m->plan->work.workload_name, CREW_MAX_NODES);
    }
    m->plan->work.nodes = (uint32_t)m->terms.nodes;
    return true;
}

static bool plan_uses(const struct training_plan *p, int purchase)
{
    return policy_uses(p->policy, p->policy_params, (enum purchase)purchase);
}

static bool make_policy(struct making *m)
{
    struct training_plan *p = m->plan;
    if (m->terms.fill.count > 0 && p->elastic.is) {
        return elastic_plan_fill(m);
    }
    if (m->terms.fill.count > 0) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, m->terms.fill_place,
            "strategy '%s' fills '%s' from several ways to buy, but a gang is bought whole, in one "
            "way at a time; give it a 'buy' of its own under 'workloads', or, in place of 'fill', "
            "'buy: spot' and 'policy: fallback', which moves the gang",
            m->strategy->item.name, p->work.workload_name);
    }
    p->policy = strategy_policy(&m->terms, &p->policy_params);
    if (p->policy == NULL) {
        return making_complain(m, DIAGNOSTIC_ERROR, making_place(m),
                               "strategy '%s' does not say how to buy for '%s'; expected 'buy: "
                               "on-demand', 'buy: spot', 'buy: capacity-block' or 'buy: owned'",
                               m->strategy->item.name, p->work.workload_name);
    }
    if (m->terms.buy >= 0 && !plan_uses(p, m->terms.buy)) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "policy '%s' of strategy '%s' never buys %s; change 'buy' or 'policy'",
            p->policy->schema->name, m->strategy->item.name, purchase_names[m->terms.buy]);
    }
    return true;
}

/* The terms as they hold at this site: which zone it is in, and where that is said. */
static struct strategy_terms site_terms(const struct making *m, int site)
{
    struct strategy_terms t = m->terms;
    const char *const *zones = t.zones.items;
    for (size_t i = 0; i < t.zones.count; i++) {
        if (site == site_of_zone(i) || (i == 0 && t.zone == NULL)) {
            t.zone = zones[i];
            t.zone_place = t.zones_place;
        }
    }
    return t;
}

static bool plan_may_ask(const struct making *m, int site)
{
    enum purchase purchase = site_purchase(site);
    bool finishes =
        purchase == PURCHASE_ON_DEMAND && m->spec->at_horizon == AT_HORIZON_FINISH_ON_DEMAND;
    bool zone = site < PURCHASE_COUNT || site <= site_of_zone(m->plan->zones - 1);
    return zone && (finishes || plan_uses(m->plan, (int)purchase));
}

/* Most nodes that can ever be had at this site; of sites that are asked together, at all of them.
 */
static uint32_t most_nodes(const struct making *m, const struct work_request *r, int site)
{
    const struct training_plan *p = m->plan;
    uint64_t sum = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        bool zones = p->span_zones > 0 && site_purchase(k) == site_purchase(site);
        if (p->pools[k] >= 0 && (k == site || zones || p->elastic.entry_count > 0)) {
            sum += work_most_nodes(r, p->pools[k]);
        }
    }
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* With fewer nothing would ever run. An elastic job makes do with its least. */
static bool check_limit(const struct making *m, const struct work_request *r, int site)
{
    const struct training_plan *p = m->plan;
    const struct strategy_terms terms = site_terms(m, site);
    const uint32_t needs = p->elastic.is ? p->elastic.least : p->work.nodes;
    const uint32_t limit = most_nodes(m, r, site);
    if (needs <= limit) {
        return true;
    }
    return making_complain(
        m, DIAGNOSTIC_INFEASIBLE, m->terms.nodes_place,
        "strategy '%s' wants %s%u nodes for '%s', but the market has at most %u "
        "node%s of '%s' %s%s%s%s",
        m->strategy->item.name, p->elastic.is && !p->elastic.whole ? "at least " : "", needs,
        p->work.workload_name, limit, text_plural(limit), m->type->name,
        p->elastic.entry_count > 0 ? "in all" : purchase_names[site_purchase(site)],
        p->zone_rule != NULL ? " in " : "", p->zone_rule != NULL ? terms.zone : "",
        market_planned_limit_advice(m->market, p->pools[site]));
}

static bool make_pools(struct making *m, const struct work_request *r)
{
    struct training_plan *p = m->plan;
    bool ok = work_check_bought(r, &m->terms, p->work.workload_name, plan_uses(p, PURCHASE_BLOCK),
                                plan_uses(p, PURCHASE_OWNED));
    for (int k = 0; k < SITE_COUNT; k++) {
        if (!plan_may_ask(m, k)) {
            continue;
        }
        struct strategy_terms terms = site_terms(m, k);
        struct place where = terms.zone != NULL ? terms.zone_place : terms.instance_place;
        p->pools[k] = work_pool(r, &terms, p->work.workload_name, m->type, site_purchase(k), where);
        ok = p->pools[k] >= 0 && ok;
    }
    bool told = false;
    for (int k = 0; k < SITE_COUNT; k++) {
        bool together = p->span_zones > 0 || p->elastic.entry_count > 0;
        if (p->pools[k] >= 0 && !(told && together)) {
            told = !check_limit(m, r, k) || told;
        }
    }
    return ok && !told;
}

/* ---- when ---- */

static bool make_times(const struct making *m)
{
    struct training_plan *p = m->plan;
    const struct market_context *c = m->context;
    p->work.submit_s = work_span_end_s(&m->spec->submit, c->start_unix_s, c);
    bool ok = true;
    if (p->work.submit_s >= c->horizon_s) {
        ok = making_complain_once(m, DIAGNOSTIC_ERROR, m->spec->submit_place,
                                  "'%s' is submitted at or after the horizon; lengthen 'horizon'",
                                  p->work.workload_name);
    } else if (m->spec->deadline_given) {
        int64_t submit_unix_s = c->start_unix_s + (int64_t)p->work.submit_s;
        p->work.deadline_s =
            work_span_end_s(&m->spec->deadline, submit_unix_s, c) + fmod(p->work.submit_s, 1);
        if (p->work.deadline_s > c->horizon_s) {
            ok = making_complain_once(
                m, DIAGNOSTIC_ERROR, m->spec->deadline_place,
                "the deadline of '%s' lies beyond the horizon, so lateness could not be seen; "
                "lengthen 'horizon'",
                p->work.workload_name);
        }
    } else if (m->project_deadline_s > 0) {
        p->work.deadline_s = m->project_deadline_s;
    }
    return ok;
}

static bool check_deadline(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (!p->policy->needs_deadline || isfinite(p->work.deadline_s)) {
        return true;
    }
    return making_complain(m, DIAGNOSTIC_ERROR, making_place(m),
                           "policy '%s' of strategy '%s' works towards a deadline, but workload "
                           "'%s' has none; give it a 'deadline'",
                           p->policy->schema->name, m->strategy->item.name, p->work.workload_name);
}

static bool check_length(const struct making *m)
{
    const struct training_plan *p = m->plan;
    double work_s = training_work_time(p, NULL).all_s;
    if (work_s <= TRAINING_MOST_WORK_S) {
        return true;
    }
    return making_complain(m, DIAGNOSTIC_INFEASIBLE, making_place(m),
                           "'%s' on %u x '%s' would take %.3g years; check its work and speed",
                           p->work.workload_name, p->work.nodes, m->type->name,
                           work_s / (365.25 * 86400));
}

/* ---- all of it ---- */

/* Defaults that cost, or that leave out a cost. */
static void assume_defaults(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const struct training_plan *p = m->plan;
    struct assumptions *a = m->context->assumptions;
    const char *name = p->work.workload_name;
    char text[32];
    if (!s->boot.given) {
        assumptions_add(a, false, "default", making_name(m, "boot of a node of %s", name),
                        "%.0f s from launch to ready", variate_planned_mean(&s->boot));
    }
    if (s->checkpoint.mode == CHECKPOINT_PERIODIC && !s->checkpoint.write.given &&
        !p->cost.derives_write) {
        assumptions_add(a, false, "default",
                        making_name(m, "time to write a checkpoint of %s", name), "%.0f s",
                        s->checkpoint.write.median);
    }
    if (s->checkpoint.mode != CHECKPOINT_NONE && !s->checkpoint.restore.given &&
        !p->cost.derives_restore) {
        assumptions_add(a, false, "default", making_name(m, "time to restore %s", name), "%.0f s",
                        variate_planned_mean(&s->checkpoint.restore));
    }
    if (plan_uses(p, PURCHASE_SPOT) && p->work.nodes > 1 && !s->patience.given &&
        (!p->elastic.is || p->elastic.whole)) {
        assumptions_add(a, false, "default", making_name(m, "patience of %s", name),
                        "a part of the gang is held, and paid, for %s, then given back",
                        quantity_time_text(s->patience.median, text));
    }
}

/* Of a start that restores, nothing being waited for. */
static double planned_overhead_s(const struct training_plan *p)
{
    return variate_planned_mean(&p->spec->boot) + training_staging_s(p, NULL) +
           training_start_s(p, p->work.nodes, NULL) +
           checkpoint_planned_restore_s(p, p->work.nodes);
}

/* What everybody reads of a plan, whatever the kind of work. */
static void tell_work(struct making *m)
{
    struct training_plan *p = m->plan;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (p->pools[k] >= 0) {
            p->work.pools[p->work.pool_count++] = (struct work_pool){
                .pool = p->pools[k], .purchase = site_purchase(k), .nodes = training_all_nodes(p)};
        }
    }
    const char *policy = p->policy->schema->name;
    p->work.how = p->zone_rule != NULL
                      ? making_name(m, "policy %s, failover %s", policy, p->zone_rule->name)
                  : p->zones > 1 ? making_name(m, "policy %s, all zones at once", policy)
                                 : making_name(m, "policy %s", policy);
    p->work.planned_work_s = training_work_time(p, NULL).all_s;
    p->work.planned_overhead_s = planned_overhead_s(p);
    p->work.memory_checked = p->memory.checked;
    p->work.cut_at_horizon = m->spec->at_horizon == AT_HORIZON_CUT;
}

bool training_plan_make(struct training_plan *plan, const struct work_request *request)
{
    const struct training_spec *spec = request->spec;
    *plan = (struct training_plan){.work = {.workload = request->workload,
                                            .workload_name = spec->item.name,
                                            .place = spec->item.place,
                                            .project = request->project,
                                            .finite = true,
                                            .awaits = request->awaits,
                                            .deadline_s = HUGE_VAL},
                                   .spec = spec,
                                   .elastic.is = spec->elastic.given,
                                   .zones = 1};
    for (int k = 0; k < SITE_COUNT; k++) {
        plan->pools[k] = -1;
        plan->every_s[k] = HUGE_VAL;
    }
    struct making m = {.plan = plan,
                       .spec = spec,
                       .strategy = request->strategy,
                       .terms = strategy_terms_for(request->strategy, spec->item.name),
                       .market = request->market,
                       .project_deadline_s = request->deadline_s,
                       .context = request->context};
    bool work = training_speed_check(&m);
    bool times = make_times(&m);
    m.type = work_type(request, &m.terms, spec->item.name);
    bool type = m.type != NULL;
    elastic_plan_nodes(&m);
    bool nodes = make_nodes(&m);
    bool policy = make_policy(&m);
    bool reliable = nodes && reliability_plan_check(&m);
    bool span = nodes && policy && zone_span_make(&m);
    bool model = training_model_check(&m);
    bool ways = model && type && nodes && training_ways_check(&m);
    bool memory = ways && training_memory_make(&m, &plan->memory);
    bool speed =
        span && work && ways && training_speed_make(&m) && check_length(&m) && zone_span_check(&m);
    bool elastic = memory && speed && policy && elastic_plan_make(&m);
    bool zones = policy && training_zones_make(&m);
    bool pools = type && zones && make_pools(&m, request) && asking_limits_make(&m);
    bool cost = type && nodes && checkpoint_cost_make(&m);
    bool checkpoints = policy && cost && checkpoint_plan_check(&m);
    checkpoints = policy && check_deadline(&m) && checkpoints;
    if (!(times && reliable && memory && speed && elastic && pools && checkpoints)) {
        return false;
    }
    training_speed_assume(&m);
    training_memory_assume(&m);
    assume_defaults(&m);
    elastic_plan_assume(&m);
    checkpoint_plan_make(&m);
    tell_work(&m);
    reliability_plan_assume(&m);
    return true;
}
