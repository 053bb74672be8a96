/* SPDX-License-Identifier: GPL-3.0-or-later
 * `last-moment`: spot while it is there, on-demand once the work left fills the time left, nothing
 * else. It allows for no overhead, so that it is often late: what the safety net is measured
 * against (Can't Be Late, NSDI 2024: ideal without overhead). */
#include "models/policies/policy_rows.h"
#include "models/policies/safety_net.h"

#include <math.h>

struct last_moment_params {
    struct schema_item item;
};

const struct schema policy_last_moment_schema = {
    .name = "last-moment",
    .tag = "name",
    .shorthand = "name",
    .size = sizeof(struct last_moment_params),
    .help = "Spot while it is there, on-demand once the work left fills the time left; allows for "
            "no overhead and is often late.",
};

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    (void)params;
    struct policy_decision d = {.want = PURCHASE_SPOT, .ask_again_at_s = HUGE_VAL};
    double left_s = view->deadline_s - view->now_s;
    if (spot_is_there(view)) {
        return d;
    }
    if (view->work_left_s >= left_s) {
        d.want = PURCHASE_ON_DEMAND;
    } else if (!view->running) {
        d.ask_again_at_s = view->deadline_s - view->work_left_s + SAFETY_NET_NOTHING_S;
    }
    d.give_up = d.want == PURCHASE_SPOT && view->running;
    return d;
}

static bool switches_back(const void *params)
{
    (void)params;
    return true;
}

const struct policy policy_last_moment = {
    .schema = &policy_last_moment_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true},
    .switches_back = switches_back,
    .decide = decide,
    .needs_deadline = true,
};
