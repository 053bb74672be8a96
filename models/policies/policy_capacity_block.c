/* SPDX-License-Identifier: GPL-3.0-or-later
 * `capacity-block`: nodes of Capacity Blocks while a window is open. What happens without one is
 * said by `then` (behind the last window) and `gaps` (before the first and between two): nothing,
 * or another way to buy. */
#include "models/policies/policy_rows.h"

#include <math.h>

enum { THEN_NONE, THEN_ON_DEMAND, THEN_SPOT };
static const char *const then_names[] = {"none", "on-demand", "spot", NULL};

struct capacity_block_params {
    struct schema_item item;
    int then;
    bool gaps;
};

static const struct schema_key keys[] = {
    {.name = "then",
     .kind = SCHEMA_CHOICE,
     .choices = then_names,
     .default_text = "none",
     .offset = offsetof(struct capacity_block_params, then),
     .help = "How the rest of the work is bought when the last window has closed; `none`: it stays "
             "unfinished."},
    {.name = "gaps",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = offsetof(struct capacity_block_params, gaps),
     .help = "`yes`: what `then` says also runs before the first window and between two, and the "
             "work moves into a window when it opens; `no`: the work waits for it."},
};

const struct schema policy_capacity_block_schema = {
    .name = "capacity-block",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct capacity_block_params),
    .help = "Capacity Blocks while their windows are open: the policy of `buy: capacity-block` "
            "unless another is named.",
};

static enum purchase otherwise(const struct capacity_block_params *p)
{
    static const enum purchase of_then[] = {PURCHASE_BLOCK, PURCHASE_ON_DEMAND, PURCHASE_SPOT};
    return p == NULL ? PURCHASE_BLOCK : of_then[p->then];
}

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    const struct capacity_block_params *p = params;
    struct policy_decision d = {.want = PURCHASE_BLOCK, .ask_again_at_s = HUGE_VAL};
    bool in_block = view->running && view->runs_on == PURCHASE_BLOCK;
    if (in_block || view->block_obtainable || p == NULL) {
        return d;
    }
    if (view->running || !view->block_to_come || p->gaps) {
        d.want = otherwise(p);
    }
    return d;
}

static bool uses(const void *params, enum purchase purchase)
{
    return purchase == PURCHASE_BLOCK || purchase == otherwise(params);
}

static bool switches_back(const void *params)
{
    const struct capacity_block_params *p = params;
    return p != NULL && p->gaps && p->then != THEN_NONE;
}

const struct policy policy_capacity_block = {
    .schema = &policy_capacity_block_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true, [PURCHASE_BLOCK] = true},
    .may_use = uses,
    .switches_back = switches_back,
    .decide = decide,
};
