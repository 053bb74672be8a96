/* SPDX-License-Identifier: GPL-3.0-or-later
 * `on-demand`: always ask on-demand. */
#include "models/policies/policy_rows.h"

#include <math.h>

struct on_demand_params {
    struct schema_item item;
};

const struct schema policy_on_demand_schema = {
    .name = "on-demand",
    .tag = "name",
    .shorthand = "name",
    .size = sizeof(struct on_demand_params),
    .help = "Always on-demand: the policy of `buy: on-demand` unless another is named.",
};

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    (void)params;
    (void)view;
    return (struct policy_decision){.want = PURCHASE_ON_DEMAND, .ask_again_at_s = HUGE_VAL};
}

const struct policy policy_on_demand = {
    .schema = &policy_on_demand_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true},
    .decide = decide,
    .looks_at_nothing = true,
};
