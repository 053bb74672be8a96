/* SPDX-License-Identifier: GPL-3.0-or-later
 * `wait`: spot only; while the pool has no capacity the job waits, unpaid. */
#include "models/policies/policy_rows.h"

#include <math.h>

struct wait_params {
    struct schema_item item;
};

const struct schema policy_wait_schema = {
    .name = "wait",
    .tag = "name",
    .shorthand = "name",
    .size = sizeof(struct wait_params),
    .help =
        "Spot only; without capacity the job waits: the policy of `buy: spot` unless another is "
        "named.",
};

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    (void)params;
    (void)view;
    return (struct policy_decision){.want = PURCHASE_SPOT, .ask_again_at_s = HUGE_VAL};
}

const struct policy policy_wait = {
    .schema = &policy_wait_schema,
    .uses = {[PURCHASE_SPOT] = true},
    .decide = decide,
    .looks_at_nothing = true,
};
