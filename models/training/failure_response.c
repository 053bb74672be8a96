/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/failure_response.h"

#include "models/fleet/fleet.h"

bool failure_response_draw(struct failure_response *r, const struct training_plan *plan,
                           const double *drawn)
{
    const struct reliability_spec *s = &plan->spec->reliability;
    *r = (struct failure_response){0};
    if (!plan->reliability.fails) {
        return true;
    }
    r->p_human = number_value(&s->response.p_human, drawn);
    return variate_resolve(&s->failures.detect, drawn, &r->detect) &&
           variate_resolve(&s->response.automatic, drawn, &r->automatic) &&
           variate_resolve(&s->response.human, drawn, &r->human);
}

/* Failures are few: their sources are named when they happen. */
static double luck(const struct training_plan *plan, const struct crew *c, uint32_t slot,
                   const char *purpose)
{
    const char *pool = market_pool_info(market_plan_of(fleet_market(c->fleet)), c->pool)->name;
    uint64_t source = random_source("launch/%s/%s/%u/%s", plan->work.workload_name, pool,
                                    c->first_slot + slot, purpose);
    uint32_t ordinal = c->nodes[slot].launches > 0 ? c->nodes[slot].launches - 1 : 0;
    return random_uniform_at(fleet_world(c->fleet), source, ordinal);
}

double failure_detect_s(const struct failure_response *r, const struct training_plan *plan,
                        const struct crew *c, uint32_t slot)
{
    return distribution_quantile(&r->detect, luck(plan, c, slot, "detect"));
}

double failure_respond_s(const struct failure_response *r, const struct training_plan *plan,
                         const struct crew *c, uint32_t slot)
{
    bool human = luck(plan, c, slot, "human") < r->p_human;
    return distribution_quantile(human ? &r->human : &r->automatic,
                                 luck(plan, c, slot, "response"));
}
