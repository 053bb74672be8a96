/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_fleet_plan.h"

#include "models/fleet/work_making.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* The most that its key allows. */
#define MOST_ROLLOUT_EXTRA 10
/* Of replicas, wanted or not. */
#define MOST_RECORDS 2e6

bool service_refuse(const struct service_making *m, struct place where, bool once,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->c, DIAGNOSTIC_ERROR, where, once, format, args);
    va_end(args);
    return false;
}

bool service_steps_err(const struct service_making *m, struct place where, const char *err,
                       const char *instead, const char *what, ...)
{
    const struct service_plan *p = m->plan;
    const bool stated = p->spec->mode == SERVICE_INTERVAL;
    va_list args;
    va_start(args, what);
    const char *text = work_textv(m->c, what, args);
    va_end(args);
    work_complain(m->c, stated ? DIAGNOSTIC_WARNING : DIAGNOSTIC_ERROR, where, false,
                  "%s, %s%s (%s); %s 'mode: requests' in '%s', or %s", text,
                  stated ? "where steps err by up to " : "which cannot be simulated in intervals",
                  stated ? err : "", p->mode.why, stated ? "expected" : "state", m->workload,
                  instead);
    return stated;
}

/* ---- who scales ---- */

/* Jobs come and go by themselves, one for each request. */
bool service_check_jobs(const struct service_making *m)
{
    const struct service_plan *p = m->plan;
    const struct serving_spec *serving = p->spec->serving.items;
    const char *wrong = NULL;
    if (!p->of_jobs) {
        return true;
    }
    bool one = !p->spec->is_llm;
    for (size_t i = 0; i < p->spec->serving.count; i++) {
        one &= !serving[i].batched && serving[i].slots == 1;
    }
    if (p->use_count > 1) {
        wrong = "other autoscalers beside 'keda-jobs'; expected it alone";
    } else if (!one) {
        wrong = "replicas that serve several requests at a time, but a job of 'keda-jobs' serves "
                "one; expected a 'service' with 'time' and 'slots: 1', or 'keda'";
    } else if (p->min_replicas > 0) {
        wrong = "'min_replicas', but a job of 'keda-jobs' that has nothing to do ends; drop it";
    } else if (m->terms.footprint_given || p->spec->has_rollouts) {
        wrong = "a 'footprint' or 'rollouts', but jobs of 'keda-jobs' stand nowhere when there is "
                "nothing to do; drop them";
    }
    return wrong == NULL ||
           service_refuse(m, m->terms.autoscale_place, false, "strategy '%s' has '%s' with %s",
                          m->strategy, m->workload, wrong);
}

bool service_set_monitoring(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    p->monitored = m->terms.monitoring_given;
    p->monitoring = m->terms.monitoring;
    return !p->monitored || p->use_count > 0 ||
           service_refuse(
               m, m->terms.monitoring_place, false,
               "strategy '%s' states the 'monitoring' of '%s', which nothing looks at; add "
               "'autoscale', or drop it",
               m->strategy, m->workload);
}

/* ---- what stands beside them ---- */

uint32_t service_most_standing(const struct service_plan *plan)
{
    return footprint_replicas(&plan->footprint, plan->max_replicas);
}

static uint32_t nodes_for(const struct service_plan *plan, uint32_t replicas)
{
    return (replicas + plan->replicas_per_node - 1) / plan->replicas_per_node;
}

/* In each zone there may be all that is wanted of the others. */
uint32_t service_most_nodes(const struct service_plan *plan)
{
    double standing = service_most_standing(plan), extra = 0;
    double nodes = ceil(standing / plan->replicas_per_node) + plan->zone_count - 1;
    if (plan->rollouts.spec != NULL) {
        const struct number *n = &plan->rollouts.spec->extra;
        extra = n->input < 0 ? n->median : MOST_ROLLOUT_EXTRA;
    }
    return (uint32_t)fmin(ceil(nodes * (1 + extra)) + plan->zone_count - 1, 4e9);
}

bool service_set_footprint(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    const struct footprint_spec *f = &m->terms.footprint;
    const char *const *names = f->zones.items;
    struct place where = work_terms_place(&m->terms, m->request->strategy);
    p->zone_count = f->zones.count > 0 ? (uint32_t)f->zones.count : 1;
    p->footprint = (struct footprint){.spare_replicas = (uint32_t)f->spare_replicas,
                                      .spare_nodes = (uint32_t)f->spare_nodes,
                                      .per_node = p->replicas_per_node,
                                      .zones = p->zone_count,
                                      .survive_zone = f->survive_zone};
    if (f->survive_zone && f->zones.count == 0) {
        return service_refuse(
            m, m->terms.footprint_place, false,
            "strategy '%s' has '%s' survive the loss of a zone, but states none; add "
            "'zones: [us-east-1a, us-east-1b]' to its 'footprint'",
            m->strategy, m->workload);
    }
    for (size_t i = 0; i < f->zones.count; i++) {
        p->zones[i].name = names[i];
        for (size_t k = 0; k < i; k++) {
            if (strcmp(names[i], names[k]) == 0) {
                return service_refuse(m, f->zones_place, false,
                                      "zone '%s' stands twice in the 'footprint' of strategy '%s'",
                                      names[i], m->strategy);
            }
        }
    }
    if (p->spec->has_rollouts &&
        !rollouts_plan_make(&p->rollouts, &p->spec->rollouts, m->workload, m->c)) {
        return false;
    }
    uint32_t most = service_most_standing(p);
    double records = p->zone_count * (double)service_most_nodes(p) * p->replicas_per_node;
    if (most > SERVICE_MOST_REPLICAS || records > MOST_RECORDS) {
        return work_complain(m->c, DIAGNOSTIC_INFEASIBLE, where, false,
                             "strategy '%s' wants up to %u replicas of '%s'%s; at most %d can be "
                             "simulated",
                             m->strategy, most, m->workload,
                             most > SERVICE_MOST_REPLICAS
                                 ? ""
                                 : " in any of its zones, or further nodes for rollouts",
                             SERVICE_MOST_REPLICAS);
    }
    return true;
}

/* Of each zone by itself: a pool that is in none, such as that of hardware that one owns, cannot be
 * spread. */
bool service_fill_zones(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    const struct fill_spec *f = m->terms.fill.items;
    uint32_t most = service_most_nodes(p);
    for (size_t i = 0; i < m->terms.fill.count && p->zone_count > 1; i++) {
        if (f[i].zone != NULL) {
            return service_refuse(
                m, f[i].zone_place, false,
                "'fill' of strategy '%s' names a zone, but its 'footprint' spreads '%s' "
                "over several; drop one of them",
                m->strategy, m->workload);
        }
    }
    if (p->zone_count * (m->terms.fill.count > 0 ? m->terms.fill.count : 1) > WORK_MAX_POOLS) {
        return service_refuse(
            m, m->terms.footprint.zones_place, false,
            "%zu ways to buy in %u zones are more than %d pools; expected fewer zones, "
            "or fewer ways in 'fill'",
            m->terms.fill.count, p->zone_count, WORK_MAX_POOLS);
    }
    for (uint32_t z = 0; z < p->zone_count; z++) {
        struct service_zone_plan *zone = &p->zones[z];
        struct strategy_terms terms = m->terms;
        if (zone->name != NULL) {
            terms.zone = zone->name;
            terms.zone_place = m->terms.footprint.zones_place;
        }
        zone->first_pool = p->work.pool_count;
        if (!fill_plan_make(&zone->fill, &p->work, m->request, &terms, m->workload,
                            most > 0 ? most : 1)) {
            return false;
        }
        zone->pool_count = p->work.pool_count - zone->first_pool;
        for (size_t i = 0; i < zone->fill.count; i++) {
            struct fill_entry *e = &zone->fill.entries[i];
            if (e->pool < zone->first_pool) {
                return service_refuse(
                    m, m->terms.footprint.zones_place, false,
                    "'footprint' of strategy '%s' spreads '%s' over zones, but some of "
                    "its nodes (blocks, or hardware that is owned) are in one place; "
                    "drop 'zones'",
                    m->strategy, m->workload);
            }
            e->pool -= (uint32_t)zone->first_pool;
            if (p->zone_count > 1 && e->most != FILL_ALL_THE_REST) {
                uint32_t share[FOOTPRINT_MOST_ZONES];
                footprint_spread(e->most, p->zone_count, share);
                e->most = share[z];
            }
        }
    }
    return true;
}

/* What stands stopped belongs to nodes that can be stopped, and costs its volume. */
bool service_set_warm_pool(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    const struct work_pool *pools = p->work.pools;
    struct place where = m->terms.warm_pool_place;
    for (size_t k = 0; k < p->work.pool_count; k++) {
        p->crew_nodes[k] = pools[k].nodes;
    }
    if (!m->terms.warm_pool_given) {
        return true;
    }
    if (p->work.pool_count != 1 || pools[0].purchase != PURCHASE_ON_DEMAND) {
        return service_refuse(
            m, where, false,
            "strategy '%s' has a warm pool, but does not buy all nodes of '%s' on demand "
            "in one zone; expected 'buy: on-demand' (spot cannot be stopped in a warm "
            "pool), or no 'warm_pool'",
            m->strategy, m->workload);
    }
    if (!p->spec->storage.disk.given || p->spec->storage.disk.keep) {
        return service_refuse(
            m, where, false,
            p->spec->storage.disk.given
                ? "the volumes of '%s' are kept when its nodes end, beside those of the "
                  "stopped nodes of strategy '%s'; drop 'keep' of its 'disk'"
                : "stopped nodes of '%s' cost their volumes, which strategy '%s' knows "
                  "nothing of; state 'disk: {size: 200 GB}' in the workload",
            m->workload, m->strategy);
    }
    const struct warm_pool_spec *w = &m->terms.warm_pool;
    uint32_t most = nodes_for(p, service_most_standing(p));
    p->has_warm_pool = true;
    p->warm_pool = *w;
    p->prepared = w->prepared_given ? (uint32_t)w->prepared : most;
    if (p->use_count == 0 && p->prepared <= most && w->least == 0) {
        return service_refuse(
            m, where, false,
            "nothing of the warm pool of strategy '%s' would ever stand there: '%s' "
            "always has its %u nodes; add 'autoscale', or 'min'",
            m->strategy, m->workload, most);
    }
    uint32_t ready = p->prepared > (uint32_t)w->least ? p->prepared : (uint32_t)w->least;
    if ((double)ready + pools[0].nodes > CREW_MAX_NODES) {
        return service_refuse(m, where, false,
                              "the warm pool of strategy '%s' has %u nodes; at most %d",
                              m->strategy, ready, CREW_MAX_NODES);
    }
    p->work.pools[0].nodes += ready > 0 ? ready : 1;
    return true;
}

/* The shortest period of an autoscaler. */
double service_looks_every_s(const struct service_plan *p)
{
    double shortest_s = HUGE_VAL;
    for (size_t i = 0; i < p->use_count; i++) {
        shortest_s = fmin(shortest_s, p->uses[i].autoscaler->period_s(p->uses[i].params));
    }
    return shortest_s;
}

/* In steps of time nothing is known of what is in the middle of one. */
bool service_datapoints_fit(const struct service_plan *p)
{
    if (!p->monitored || !p->monitoring.period.given) {
        return true;
    }
    double a = p->monitoring.period.median, b = service_looks_every_s(p), n = a > b ? a / b : b / a;
    return p->monitoring.period.input < 0 && fabs(n - round(n)) < 1e-9;
}
