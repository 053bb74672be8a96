/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"
#include "models/inference/shared_fleet_work.h"

#include <math.h>
#include <string.h>

/* `nodes` of the strategy itself may be meant for other workloads; its own may not. */
static bool check_nodes(const struct work_request *r, const char *workload)
{
    const struct strategy_terms *own = r->strategy->workloads.items;
    for (size_t i = 0; i < r->strategy->workloads.count; i++) {
        if (strcmp(own[i].item.name, workload) == 0 && own[i].nodes != 0) {
            return work_complain(
                r->context, DIAGNOSTIC_ERROR, own[i].nodes_place, false,
                "how many nodes '%s' has follows from the replicas on them, within "
                "its own 'min_nodes' and 'max_nodes'; drop this 'nodes'",
                workload);
        }
    }
    return true;
}

bool shared_fleet_plan_make(struct shared_fleet_plan *plan, const struct work_request *request)
{
    const struct shared_fleet_spec *spec = request->spec;
    const struct market_context *c = request->context;
    const char *workload = spec->item.name;
    *plan = (struct shared_fleet_plan){.work = {.workload = request->workload,
                                                .workload_name = workload,
                                                .place = spec->item.place,
                                                .deadline_s = HUGE_VAL},
                                       .spec = spec,
                                       .least_nodes = (uint32_t)spec->min_nodes,
                                       .most_nodes = (uint32_t)spec->max_nodes};
    if (spec->min_nodes > spec->max_nodes) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->max_place, true,
                             "'%s' has at least %lld nodes, and at most %lld", workload,
                             (long long)spec->min_nodes, (long long)spec->max_nodes);
    }
    const struct strategy_terms terms = strategy_terms_for(request->strategy, workload);
    bool nodes = check_nodes(request, workload);
    if (!independent_terms_check(request, &terms, workload) || !nodes ||
        !fill_plan_make(&plan->fill, &plan->work, request, &terms, workload, plan->most_nodes)) {
        return false;
    }
    plan->work.nodes = plan->most_nodes;
    plan->work.memory_checked = true; /* as far as it is of what stands on them */
    plan->work.planned_overhead_s = variate_planned_mean(&spec->boot);
    plan->work.how = independent_terms_text(&terms, c);
    if (!spec->boot.given) {
        assumptions_add(c->assumptions, false, "default",
                        work_text(c, "boot of a node of %s", workload),
                        "%.0f s from launch to ready", plan->work.planned_overhead_s);
    }
    return true;
}

const struct shared_fleet_plan *shared_fleet_find(const struct work_request *request,
                                                  const char *name)
{
    for (size_t w = 0; w < request->hosts_count; w++) {
        const struct work_plan *plan = request->hosts[w];
        if (plan != NULL && plan->kind == &work_shared_fleet &&
            strcmp(plan->workload_name, name) == 0) {
            return (const struct shared_fleet_plan *)plan;
        }
    }
    return NULL;
}
