/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_zones.h"

#include <string.h>

/* Keys of the strategy may be meant for another of its workloads. */
static bool may_be_for_others(const struct making *m, bool own)
{
    return !own && m->strategy->workloads.count > 0;
}

static bool check_zones(const struct making *m)
{
    const struct strategy_terms *t = &m->terms;
    const char *const *zones = t->zones.items;
    for (size_t i = 0; i < t->zones.count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(zones[i], zones[k]) == 0) {
                return making_complain(m, DIAGNOSTIC_ERROR, t->zones_place,
                                       "zone '%s' is listed twice", zones[i]);
            }
        }
    }
    const struct training_plan *p = m->plan;
    bool own = t->zones.items != m->strategy->terms.zones.items;
    if (t->zones.count > 1 && !t->span_zones &&
        !policy_uses(p->policy, p->policy_params, PURCHASE_SPOT) && !may_be_for_others(m, own)) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->zones_place,
                               "several zones are for spot, which policy '%s' never buys for '%s'; "
                               "expected 'zone: %s' or another policy",
                               p->policy->schema->name, p->work.workload_name, zones[0]);
    }
    return true;
}

bool training_zones_make(struct making *m)
{
    const struct strategy_terms *t = &m->terms;
    struct training_plan *p = m->plan;
    bool own_rule = t->failover != m->strategy->terms.failover;
    if (t->failover >= 0 && t->zones.count < 2 && !may_be_for_others(m, own_rule)) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->failover_place,
                               "'failover' chooses among several zones, but '%s' has one; expected "
                               "such as 'zones: [us-east-1a, us-east-1b]'",
                               p->work.workload_name);
    }
    if (!check_zones(m)) {
        return false;
    }
    const bool spot = policy_uses(p->policy, p->policy_params, PURCHASE_SPOT);
    if (p->span_zones > 0 && spot) {
        p->zones = t->zones.count;
        assumptions_add(
            m->context->assumptions, false, "default",
            making_name(m, "zones of %s", p->work.workload_name),
            "asked in the order listed, each for what those before it lack; a node that "
            "is held is not moved");
    } else if (t->zones.count > 1 && spot) {
        p->zones = t->zones.count;
        p->zone_rule = zone_rule_table[t->failover >= 0 ? t->failover : 0];
        assumptions_add(m->context->assumptions, false, "default",
                        making_name(m, "moves of %s between zones", p->work.workload_name),
                        "cost a boot and a restore; no charge for data between zones but what "
                        "'transfer' states");
    }
    return true;
}
