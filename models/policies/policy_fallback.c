/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fallback`: spot while it can be had; without a whole gang on spot for `after`, on-demand. With
 * `return: yes` the gang goes back as soon as spot can grant it whole, else it stays.
 *
 * On-demand nodes that commitments cover cost nothing more: with `prefer_covered` on-demand comes
 * before spot while the gang, or a part of it that makes it the cheaper, finds room in what is
 * signed. */
#include "models/policies/policy_rows.h"

#include <math.h>

struct fallback_params {
    struct schema_item item;
    struct number after;
    bool back;
    bool prefer_covered;
};

static const struct schema_key keys[] = {
    {.name = "after",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 1e9,
     .default_text = "10min",
     .offset = offsetof(struct fallback_params, after),
     .help =
         "How long spot is asked for without a whole gang before on-demand is asked instead; the "
         "median counts, since a policy cannot know more."},
    {.name = "return",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = offsetof(struct fallback_params, back),
     .help =
         "`yes`: back to spot as soon as the whole gang is granted there (on-demand works on while "
         "spot boots, then writes a checkpoint and stops); `no`: stay on on-demand to the end."},
    {.name = "prefer_covered",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct fallback_params, prefer_covered),
     .help = "`yes`: on-demand comes first while commitments leave room for the gang, so that it "
             "adds no more to the bill there than on spot; `no`: spot always comes first."},
};

const struct schema policy_fallback_schema = {
    .name = "fallback",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct fallback_params),
    .help = "Spot, and on-demand when spot has no room for the whole gang.",
};

/* Whether on-demand is the cheaper now, by what is signed: list prices alone decide nothing. */
static bool covered_is_cheaper(const struct fallback_params *p, const struct policy_view *view)
{
    if (!p->prefer_covered || view->prices == NULL || !view->on_demand_obtainable) {
        return false;
    }
    struct policy_price covered = view->prices->gang(view->prices->context, PURCHASE_ON_DEMAND);
    return covered.per_hour < covered.list_per_hour &&
           covered.per_hour <= view->prices->gang(view->prices->context, PURCHASE_SPOT).per_hour;
}

static struct policy_decision by_capacity(const struct fallback_params *p,
                                          const struct policy_view *view)
{
    struct policy_decision d = {.want = PURCHASE_SPOT, .ask_again_at_s = HUGE_VAL};
    if (view->running) {
        if (view->runs_on == PURCHASE_ON_DEMAND && !(p->back && view->spot_obtainable)) {
            d.want = PURCHASE_ON_DEMAND;
        }
        return d;
    }
    double give_up_s = view->spot_wanted_since_s + p->after.median;
    if (view->spot_obtainable) {
        return d;
    }
    if (view->now_s >= give_up_s) {
        d.want = PURCHASE_ON_DEMAND;
    } else {
        d.ask_again_at_s = give_up_s;
    }
    return d;
}

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    const struct fallback_params *p = params;
    struct policy_decision d = by_capacity(p, view);
    bool may_move = !view->running || p->back; /* a working gang is left for `return` only */
    if (may_move && d.want == PURCHASE_SPOT && covered_is_cheaper(p, view)) {
        d = (struct policy_decision){.want = PURCHASE_ON_DEMAND, .ask_again_at_s = HUGE_VAL};
    }
    if (may_move && p->prefer_covered && view->prices != NULL) {
        /* A commitment that begins or ends changes which of them is the cheaper. */
        d.ask_again_at_s =
            fmin(d.ask_again_at_s, view->prices->changes_at_s(view->prices->context));
    }
    return d;
}

static bool switches_back(const void *params)
{
    const struct fallback_params *p = params;
    return p->back;
}

const struct policy policy_fallback = {
    .schema = &policy_fallback_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true},
    .switches_back = switches_back,
    .decide = decide,
};
