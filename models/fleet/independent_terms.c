/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/independent_terms.h"

#include "engine/text.h"
#include "models/fleet/work_making.h"

struct terms_check {
    const struct work_request *r;
    const struct strategy_terms *terms;
    const char *strategy, *workload;
};

static bool refuse(const struct terms_check *m, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct terms_check *m, struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->r->context, DIAGNOSTIC_ERROR, where, false, format, args);
    va_end(args);
    return false;
}

static bool check_policy(const struct terms_check *m)
{
    const void *params;
    if (m->terms->policy.index < 0) {
        return true;
    }
    const struct policy *policy = strategy_policy(m->terms, &params);
    int uses = 0;
    bool fits = m->terms->buy >= 0 && policy_uses(policy, params, (enum purchase)m->terms->buy);
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        uses += policy_uses(policy, params, (enum purchase)k);
    }
    if (fits && uses == 1) {
        return true; /* it always asks for what `buy` says */
    }
    return refuse(m, work_terms_place(m->terms, m->r->strategy),
                  "policy '%s' of strategy '%s' decides for a gang, but the nodes of '%s' are "
                  "independent: say where they come from in order, such as 'fill: [{buy: spot}, "
                  "{buy: on-demand}]'",
                  policy->schema->name, m->strategy, m->workload);
}

/* What chooses for a gang as a whole. */
static bool check_gang_keys(const struct terms_check *m)
{
    const struct strategy_terms *t = m->terms;
    const struct {
        bool given;
        const char *key;
        struct place where;
    } keys[] = {{t->zones.count > 0, "zones", t->zones_place},
                {t->failover >= 0, "failover", t->failover_place},
                {t->max_price.given, "max_price", t->max_price_place},
                {t->max_hourly.given, "max_hourly", t->max_hourly_place},
                {t->stop_at_budget.given, "stop_at_budget", t->stop_at_budget_place}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i].given) {
            return refuse(m, keys[i].where,
                          "'%s' is for a gang, but the nodes of '%s' are independent: say it under "
                          "'workloads' of the gang; 'fill' may name a zone in each entry",
                          keys[i].key, m->workload);
        }
    }
    return true;
}

static bool check_terms(const struct terms_check *m)
{
    if (!check_gang_keys(m)) {
        return false;
    }
    bool filled = m->terms->fill.count > 0;
    if (filled && m->terms->buy >= 0) {
        return refuse(m, m->terms->fill_place,
                      "'fill' of strategy '%s' says how the nodes are bought; drop 'buy'",
                      m->strategy);
    }
    if (filled && m->terms->policy.index >= 0) {
        return refuse(m, m->terms->fill_place,
                      "'fill' of strategy '%s' says which pool is asked when; drop 'policy'",
                      m->strategy);
    }
    if (!filled && m->terms->buy < 0) {
        return refuse(m, work_terms_place(m->terms, m->r->strategy),
                      "strategy '%s' does not say how to buy for '%s'; expected such as 'buy: "
                      "on-demand' or 'fill: [{buy: spot}, {buy: on-demand}]'",
                      m->strategy, m->workload);
    }
    return check_policy(m);
}

bool independent_terms_check(const struct work_request *r, const struct strategy_terms *terms,
                             const char *workload)
{
    const struct terms_check m = {
        .r = r, .terms = terms, .strategy = r->strategy->item.name, .workload = workload};
    return check_terms(&m);
}

struct strategy_terms independent_terms_of(const struct strategy_terms *terms,
                                           const struct fill_spec *entry, struct place *where)
{
    struct strategy_terms t = *terms;
    if (entry->instance != NULL) {
        t.instance = entry->instance;
        t.instance_place = entry->instance_place;
    }
    if (entry->zone != NULL) {
        t.zone = entry->zone;
    }
    *where = entry->zone != NULL       ? entry->zone_place
             : entry->instance != NULL ? entry->instance_place
             : terms->zone != NULL     ? terms->zone_place
                                       : terms->instance_place;
    return t;
}

const char *independent_terms_text(const struct strategy_terms *terms,
                                   const struct market_context *c)
{
    const struct fill_spec *f = terms->fill.items;
    struct text t;
    text_init(&t, 500);
    text_add(&t, terms->fill.count > 0 ? "filled in order: " : "each node by itself");
    for (size_t i = 0; i < terms->fill.count; i++) {
        text_add(&t, i == 0 ? "" : ", then ");
        if (f[i].nodes > 0) {
            text_format(&t, "%lld ", (long long)f[i].nodes);
        }
        text_add(&t, strategy_buy_names[f[i].buy]);
    }
    const char *how = work_text(c, "%s", t.data);
    text_release(&t);
    return how;
}
