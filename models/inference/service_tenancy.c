/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_tenancy.h"

#include "engine/text.h"
#include "models/fleet/work_making.h"

#include <string.h>

/* Of replicas, wanted or not. */
#define MOST_RECORDS 2e6

static bool refuse_unknown(const struct service_making *m)
{
    const struct work_request *r = m->request;
    struct text known;
    text_init(&known, 0);
    for (size_t w = 0; w < r->hosts_count; w++) {
        if (r->hosts[w] != NULL) {
            text_format(&known, "%s'%s'", known.length > 0 ? ", " : "", r->hosts[w]->workload_name);
        }
    }
    service_refuse(m, m->plan->spec->fleet_place, true,
                   "'%s' stands on '%s', which is no workload of `kind: fleet`; expected %s%s",
                   m->workload, m->plan->spec->fleet,
                   known.length > 0 ? "" : "one, such as 'NAME: ",
                   known.length > 0 ? known.data : "{kind: fleet, max_nodes: 10}'");
    text_release(&known);
    return false;
}

static bool check_rollouts(const struct service_making *m)
{
    return !m->plan->spec->has_rollouts ||
           service_refuse(m, m->plan->spec->item.place, true,
                          "'%s' states 'rollouts', but stands on nodes that it shares; expected no "
                          "'rollouts', or nodes of its own (no 'fleet')",
                          m->workload);
}

/* What the strategy says of this workload alone. */
static bool check_own_terms(const struct service_making *m)
{
    const struct strategy_terms *own = m->request->strategy->workloads.items;
    for (size_t i = 0; i < m->request->strategy->workloads.count; i++) {
        const struct strategy_terms *t = &own[i];
        if (strcmp(t->item.name, m->workload) == 0 &&
            (t->instance != NULL || t->nodes != 0 || t->buy >= 0 || t->policy.index >= 0 ||
             t->fill.count > 0 || t->zone != NULL || t->zones.count > 0 || t->block.count > 0 ||
             t->owned.count > 0)) {
            return service_refuse(m, t->item.place, false,
                                  "strategy '%s' says which nodes '%s' has, which stands on those "
                                  "of '%s'; say it of '%s'",
                                  m->strategy, m->workload, m->plan->spec->fleet,
                                  m->plan->spec->fleet);
        }
    }
    return true;
}

static bool check_terms(const struct service_making *m)
{
    const struct strategy_terms *t = &m->terms;
    const char *fleet = m->plan->spec->fleet;
    if (t->footprint_given || t->warm_pool_given) {
        return service_refuse(
            m, t->footprint_given ? t->footprint_place : t->warm_pool_place, false,
            "'%s' of strategy '%s' is for services with nodes of their own, and "
            "'%s' stands on those of '%s'; drop it",
            t->footprint_given ? "footprint" : "warm_pool", m->strategy, m->workload, fleet);
    }
    return t->autoscale.count > 0 ||
           service_refuse(m, work_terms_place(t, m->request->strategy), false,
                          "strategy '%s' does not say how many replicas '%s' has; expected "
                          "'autoscale', such as '{name: fixed, replicas: 2}', and 'max_replicas'",
                          m->strategy, m->workload);
}

bool service_set_host(const struct service_making *m)
{
    const char *fleet = m->plan->spec->fleet;
    if (fleet == NULL || m->terms.own_nodes) {
        return true;
    }
    m->plan->host = shared_fleet_find(m->request, fleet);
    if (m->plan->host == NULL) {
        return m->request->hosts_failed ? false : refuse_unknown(m);
    }
    bool rollouts = check_rollouts(m);
    return check_own_terms(m) && check_terms(m) && rollouts;
}

bool service_stand_on_host(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    const struct work_plan *nodes = &p->host->work;
    double records = 0;
    if (p->of_jobs) {
        return service_refuse(m, m->terms.autoscale_place, false,
                              "strategy '%s' has a job for each request of '%s', which stands on "
                              "nodes that it shares; expected 'keda', or nodes of its own",
                              m->strategy, m->workload);
    }
    for (size_t k = 0; k < nodes->pool_count; k++) {
        p->crew_nodes[k] = nodes->pools[k].nodes;
        records += (double)nodes->pools[k].nodes * p->replicas_per_node;
    }
    p->zone_count = 0;
    return records <= MOST_RECORDS ||
           work_complain(m->c, DIAGNOSTIC_INFEASIBLE, p->spec->fleet_place, true,
                         "up to %.0f replicas of '%s' may stand on the nodes of '%s'; at most %.0f "
                         "can be simulated: lower its 'max_nodes'",
                         records, m->workload, p->spec->fleet, MOST_RECORDS);
}
