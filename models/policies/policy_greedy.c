/* SPDX-License-Identifier: GPL-3.0-or-later
 * `greedy`: spot whenever it is there, nothing while it is not, until the safety net says that only
 * on-demand can still meet the deadline (Can't Be Late, NSDI 2024, "Greedy"). */
#include "models/policies/policy_rows.h"
#include "models/policies/safety_net.h"

#include <math.h>

struct greedy_params {
    struct schema_item item;
    struct number margin;
};

static const struct schema_key keys[] = {
    POLICY_MARGIN_KEY(struct greedy_params, margin),
};

const struct schema policy_greedy_schema = {
    .name = "greedy",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct greedy_params),
    .help = "Spot whenever it is there, else nothing, until only on-demand can still meet the "
            "deadline.",
};

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    const struct greedy_params *p = params;
    struct policy_decision d = {.want = PURCHASE_SPOT, .ask_again_at_s = HUGE_VAL};
    return safety_net(view, p->margin.median, d);
}

static bool switches_back(const void *params)
{
    (void)params;
    return true;
}

const struct policy policy_greedy = {
    .schema = &policy_greedy_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true},
    .switches_back = switches_back,
    .decide = decide,
    .needs_deadline = true,
};
