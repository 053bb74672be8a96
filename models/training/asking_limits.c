/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/asking_limits.h"

/* Sums of prices are compared with a limit: what is equal but for rounding is within it. */
#define ROUNDING (1 + 1e-12)

static bool is_dear(const struct training_plan *p, enum purchase purchase, double per_hour)
{
    bool node = purchase == PURCHASE_SPOT && per_hour > p->max_price * ROUNDING;
    return node || per_hour * training_all_nodes(p) > p->max_hourly * ROUNDING;
}

/* A strategy's own keys may be meant for another of its workloads. */
static bool is_of_use(const struct making *m)
{
    const struct strategy *s = m->strategy;
    bool own = m->terms.max_price_place.line != s->terms.max_price_place.line ||
               m->terms.max_price_place.column != s->terms.max_price_place.column;
    return !m->terms.max_price.given || m->plan->pools[PURCHASE_SPOT] >= 0 ||
           (!own && s->workloads.count > 0);
}

static bool check_planned(const struct making *m)
{
    const struct training_plan *p = m->plan;
    double least = HUGE_VAL;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (p->pools[k] >= 0) {
            double per_hour = market_planned_price_per_hour(m->market, p->pools[k]);
            if (!is_dear(p, site_purchase(k), per_hour)) {
                return true;
            }
            least = fmin(least, per_hour);
        }
    }
    const bool hourly = least * training_all_nodes(p) > p->max_hourly * ROUNDING;
    const char *currency = m->context->region->currency;
    return making_complain(
        m, DIAGNOSTIC_INFEASIBLE, hourly ? m->terms.max_hourly_place : m->terms.max_price_place,
        "'%s' of strategy '%s' lets no gang of '%s' be asked: %u node%s of '%s' cost at least %.6g "
        "%s/h, %.6g each, at the prices of the plan",
        hourly ? "max_hourly" : "max_price", m->strategy->item.name, p->work.workload_name,
        training_all_nodes(p), training_all_nodes(p) == 1 ? "" : "s", m->type->name,
        least * training_all_nodes(p), currency, least);
}

static bool check_budget(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (isinf(p->stop_at_budget)) {
        return true;
    }
    if (p->pools[PURCHASE_BLOCK] >= 0 || p->pools[PURCHASE_OWNED] >= 0) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, m->terms.stop_at_budget_place,
            "'stop_at_budget' counts nodes paid by the hour, but policy '%s' also "
            "runs '%s' on what is paid beforehand",
            p->policy->schema->name, p->work.workload_name);
    }
    assumptions_add(
        m->context->assumptions, false, "default",
        making_name(m, "budget at which %s stops", p->work.workload_name),
        "counts its nodes at list prices, and leaves room for a last checkpoint; no free "
        "first hour, commitments or other charges");
    return true;
}

bool asking_limits_make(struct making *m)
{
    const struct strategy_terms *t = &m->terms;
    struct training_plan *p = m->plan;
    p->max_price = t->max_price.given ? t->max_price.median : HUGE_VAL;
    p->max_hourly = t->max_hourly.given ? t->max_hourly.median : HUGE_VAL;
    if (!is_of_use(m)) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->max_price_place,
                               "'max_price' is of spot, which policy '%s' never buys for '%s'",
                               p->policy->schema->name, p->work.workload_name);
    }
    p->stop_at_budget = t->stop_at_budget.given ? t->stop_at_budget.median : HUGE_VAL;
    if (!check_budget(m)) {
        return false;
    }
    if (isinf(p->max_price) && isinf(p->max_hourly)) {
        return true;
    }
    assumptions_add(m->context->assumptions, false, "default",
                    making_name(m, "spending limits of %s", p->work.workload_name),
                    "hold when nodes are asked for, at list prices; nodes that are held stay when "
                    "prices rise");
    return check_planned(m);
}

void asking_limits_look_at_prices(const struct training_plan *plan, struct fleet *fleet,
                                  struct crew *const *crews, bool dear[SITE_COUNT], double *until_s)
{
    for (int k = 0; k < SITE_COUNT; k++) {
        const struct crew *c = crews[k];
        if (c == NULL || crew_complete(c)) {
            continue;
        }
        double changes_s;
        double per_hour = money_to_double(
            market_price(fleet_market(fleet), c->pool, fleet_calendar(fleet)->now_s, &changes_s));
        dear[k] = is_dear(plan, c->purchase, per_hour);
        *until_s = dear[k] ? fmin(*until_s, changes_s) : *until_s;
    }
}
