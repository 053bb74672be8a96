/* SPDX-License-Identifier: GPL-3.0-or-later
 * `owned`: hardware of one's own alone; until it is there, or while others hold it, the work waits.
 */
#include "models/policies/policy_rows.h"

#include <math.h>

struct owned_params {
    struct schema_item item;
};

const struct schema policy_owned_schema = {
    .name = "owned",
    .tag = "name",
    .shorthand = "name",
    .size = sizeof(struct owned_params),
    .help = "Hardware of one's own alone: the policy of `buy: owned`.",
};

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    (void)params;
    (void)view;
    return (struct policy_decision){.want = PURCHASE_OWNED, .ask_again_at_s = HUGE_VAL};
}

const struct policy policy_owned = {
    .schema = &policy_owned_schema,
    .uses = {[PURCHASE_OWNED] = true},
    .decide = decide,
};
