/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_plan.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/fleet/work_making.h"
#include "models/policies/checkpoint_interval.h"
#include "models/training/asking_limits.h"
#include "models/training/training_speed.h"
#include "models/training/training_zones.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* So that a write that just fits is complete when the instances go, whatever its rounding. */
#define WINDOW_MARGIN_S 1e-3

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
    return zone && (finishes || plan_uses(m->plan, purchase));
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
        if (p->pools[k] < 0) {
            ok = false;
            continue;
        }
        uint32_t limit = work_most_nodes(r, p->pools[k]);
        if (p->work.nodes > limit) {
            ok =
                making_complain(m, DIAGNOSTIC_INFEASIBLE, m->terms.nodes_place,
                                "strategy '%s' wants %u nodes for '%s', but the market has at "
                                "most %u node%s of '%s' %s%s%s%s",
                                m->strategy->item.name, p->work.nodes, p->work.workload_name, limit,
                                text_plural(limit), m->type->name, purchase_names[site_purchase(k)],
                                p->zones > 1 ? " in " : "", p->zones > 1 ? terms.zone : "",
                                market_planned_limit_advice(m->market, p->pools[k]));
        }
    }
    return ok;
}

/* ---- checkpoints ---- */

static bool is_automatic(const struct checkpoint_spec *c)
{
    return !c->every.given || c->every.word == 0;
}

/* Planning takes `on_notice` to save the work at this site. */
static bool notice_saves(const struct making *m, int site)
{
    return m->spec->on_notice == ON_NOTICE_CHECKPOINT &&
           m->spec->checkpoint.write.median <=
               market_planned_notice_s(m->market, m->plan->pools[site]);
}

/* Planning knows medians; a user should know what that costs where the write may take longer. */
static void warn_of_long_writes(const struct making *m, int site)
{
    const struct number *write = &m->spec->checkpoint.write;
    double notice_s = market_planned_notice_s(m->market, m->plan->pools[site]);
    if (write->input < 0) {
        return;
    }
    const struct input *input = inputs_at(m->context->inputs, (size_t)write->input);
    if (distribution_quantile(&input->distribution, 0.95) > notice_s) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "checkpoints of '%s' take longer than the notice in more than 5 %% of the worlds; "
            "there 'on_notice: checkpoint' saves nothing, and 'every: auto' writes none before: "
            "state "
            "'every'",
            m->plan->work.workload_name);
    }
}

static void plan_interval(const struct making *m, int site)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    const bool zoned = p->zones > 1 && site_purchase(site) == PURCHASE_SPOT;
    bool saves = notice_saves(m, site);
    double rate = saves ? 0 : market_planned_loss_rate(m->market, p->pools[site], p->work.nodes);
    /* Free to write means free to write often, but not infinitely often: a floor of a second. */
    p->every_s[site] = fmax(1, checkpoint_interval_s(rate, c->write.median));
    const char *what = making_name(
        m, "checkpoint interval of %s on %u %s node%s%s%s", p->work.workload_name, p->work.nodes,
        purchase_names[site_purchase(site)], text_plural(p->work.nodes), zoned ? " in " : "",
        zoned ? market_pool_info(m->market, p->pools[site])->zone : "");
    struct assumptions *a = m->context->assumptions;
    char text[32];
    if (saves) {
        assumptions_add(a, false, "auto", what,
                        "no periodic checkpoint: one fits into the notice, which saves the work");
        warn_of_long_writes(m, site);
    } else if (isinf(p->every_s[site])) {
        assumptions_add(a, false, "auto", what, "no periodic checkpoint: nothing is left to lose");
    } else {
        assumptions_add(a, false, "auto", what,
                        "%s of useful work (Lambert W, %.3g losses a day while running)",
                        quantity_time_text(p->every_s[site], text), rate * 86400);
    }
}

static void make_intervals(const struct making *m)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (p->pools[k] < 0 || c->mode != CHECKPOINT_PERIODIC) {
            continue;
        }
        if (is_automatic(c)) {
            plan_interval(m, k);
        } else {
            p->every_s[k] = c->every.median;
        }
    }
}

/* How long before a window closes the last checkpoint in it is begun. */
static void plan_window_end(const struct making *m)
{
    const struct number *write = &m->spec->checkpoint.write;
    struct training_plan *p = m->plan;
    if (p->pools[PURCHASE_BLOCK] < 0 || m->spec->checkpoint.mode == CHECKPOINT_NONE) {
        return;
    }
    if (m->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        p->save_before_s = WINDOW_MARGIN_S;
        return;
    }
    double write_s = write->median;
    if (write->input >= 0) {
        const struct input *input = inputs_at(m->context->inputs, (size_t)write->input);
        write_s = fmax(write_s, distribution_quantile(&input->distribution, 0.999));
    }
    char text[32];
    p->save_before_s = write_s + WINDOW_MARGIN_S;
    assumptions_add(
        m->context->assumptions, false, "auto",
        making_name(m, "last checkpoint of %s in a capacity block", p->work.workload_name),
        "begun %s before the instances go%s", quantity_time_text(write_s, text),
        write->input >= 0 ? ", in time in 99.9 % of the worlds" : "");
}

static bool check_checkpoints(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (m->spec->checkpoint.mode != CHECKPOINT_NONE) {
        return true;
    }
    if (plan_uses(p, PURCHASE_BLOCK)) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "workload '%s' writes no checkpoints: what is not done when the window of a capacity "
            "block closes is lost",
            p->work.workload_name);
    }
    if (plan_uses(p, PURCHASE_SPOT)) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "workload '%s' writes no checkpoints: every interruption throws all its work away",
            p->work.workload_name);
    }
    if (p->policy->switches_back != NULL && p->policy->switches_back(p->policy_params)) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "strategy '%s' goes back from a working gang, which needs checkpoints, but workload "
            "'%s' writes none; give it a 'checkpoint' section or another policy",
            m->strategy->item.name, p->work.workload_name);
    }
    return true;
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
    }
    p->work.planned_overhead_s =
        variate_planned_mean(&m->spec->boot) + variate_planned_mean(&m->spec->checkpoint.restore);
    return ok;
}

static bool check_deadline(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (!p->policy->needs_deadline || m->spec->deadline_given) {
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
    double work_s = training_work_s(p, NULL);
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
    if (s->checkpoint.mode == CHECKPOINT_PERIODIC && !s->checkpoint.write.given) {
        assumptions_add(a, false, "default",
                        making_name(m, "time to write a checkpoint of %s", name), "%.0f s",
                        s->checkpoint.write.median);
    }
    if (s->checkpoint.mode != CHECKPOINT_NONE && !s->checkpoint.restore.given) {
        assumptions_add(a, false, "default", making_name(m, "time to restore %s", name), "%.0f s",
                        variate_planned_mean(&s->checkpoint.restore));
    }
    if (plan_uses(p, PURCHASE_SPOT) && p->work.nodes > 1 && !s->patience.given) {
        assumptions_add(a, false, "default", making_name(m, "patience of %s", name),
                        "a part of the gang is held, and paid, for %s, then given back",
                        quantity_time_text(s->patience.median, text));
    }
}

/* What everybody reads of a plan, whatever the kind of work. */
static void tell_work(struct making *m)
{
    struct training_plan *p = m->plan;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (p->pools[k] >= 0) {
            p->work.pools[p->work.pool_count++] = (struct work_pool){
                .pool = p->pools[k], .purchase = site_purchase(k), .nodes = p->work.nodes};
        }
    }
    p->work.how = p->zones > 1 ? making_name(m, "policy %s, failover %s", p->policy->schema->name,
                                             p->zone_rule->name)
                               : making_name(m, "policy %s", p->policy->schema->name);
    p->work.planned_work_s = training_work_s(p, NULL);
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
                                            .deadline_s = HUGE_VAL},
                                   .spec = spec,
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
                       .context = request->context};
    bool work = training_speed_check(&m);
    bool times = make_times(&m);
    m.type = work_type(request, &m.terms, spec->item.name);
    bool type = m.type != NULL;
    bool nodes = make_nodes(&m);
    bool policy = make_policy(&m);
    bool speed = work && type && nodes && training_speed_make(&m) && check_length(&m);
    bool zones = policy && training_zones_make(&m);
    bool pools = type && zones && make_pools(&m, request) && asking_limits_make(&m);
    bool checkpoints = policy && check_checkpoints(&m) && check_deadline(&m);
    if (!(times && speed && pools && checkpoints)) {
        return false;
    }
    training_speed_assume(&m);
    assume_defaults(&m);
    make_intervals(&m);
    plan_window_end(&m);
    tell_work(&m);
    return true;
}

double training_every_s(const struct training_plan *plan, int site, const double *drawn)
{
    const struct checkpoint_spec *c = &plan->spec->checkpoint;
    bool planned = is_automatic(c) || isinf(plan->every_s[site]);
    return planned ? plan->every_s[site] : number_value(&c->every, drawn);
}

int training_site(const struct training_plan *plan, int pool)
{
    int site = 0;
    while (plan->pools[site] != pool) {
        site++;
        assert(site < SITE_COUNT);
    }
    return site;
}
