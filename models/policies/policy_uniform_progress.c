/* SPDX-License-Identifier: GPL-3.0-or-later
 * `uniform-progress`: the work done is kept on the straight line from nothing at submission to all
 * at the deadline. Behind it: spot if it is there, else on-demand; ahead: spot or nothing. With
 * hysteresis on-demand is left only for spot that is there, and only when the work leads by what
 * the line gains over two overheads; on-demand is kept while spot is away, even when ahead (Can't
 * Be Late, NSDI 2024, "Uniform Progress"). */
#include "models/policies/policy_rows.h"
#include "models/policies/safety_net.h"

#include <math.h>

struct uniform_params {
    struct schema_item item;
    struct number margin;
    bool hysteresis;
};

static const struct schema_key keys[] = {
    POLICY_MARGIN_KEY(struct uniform_params, margin),
    {.name = "hysteresis",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = offsetof(struct uniform_params, hysteresis),
     .help = "`yes`: on-demand, once it runs, is left only for spot that is there, and only when "
             "the work leads by what the line gains over two overheads; `no`: whenever the work "
             "is ahead of the line."},
};

const struct schema policy_uniform_progress_schema = {
    .name = "uniform-progress",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct uniform_params),
    .help = "Keeps the work on the line from submission to deadline: behind it on-demand helps "
            "out, ahead of it only spot is used.",
};

/* In continuous time the line is met at an instant; being on it counts as behind, or nothing would
 * ever happen at that instant. */
static bool behind(const struct policy_view *v, double line_s)
{
    return v->tick_s > 0 ? v->done_s < line_s : v->done_s <= line_s + SAFETY_NET_NOTHING_S;
}

/* When work that goes on will be ahead of a line that now stands at line_s: it gains 1 - slope on
 * it in each second once the overhead is over. */
static double ahead_at_s(const struct policy_view *v, double line_s, double slope)
{
    if (slope >= 1) {
        return HUGE_VAL;
    }
    double gap_s = line_s + v->overhead_left_s * slope - v->done_s;
    double wait_s = v->overhead_left_s + fmax(gap_s, 0) / (1 - slope);
    return v->now_s + fmax(wait_s, POLICY_LOOK_AGAIN_S);
}

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    const struct uniform_params *p = params;
    struct policy_decision d = {.want = PURCHASE_SPOT, .ask_again_at_s = HUGE_VAL};
    double margin_s = p->margin.median;
    double since_s = view->now_s - view->submit_s;
    double span_s = view->deadline_s - margin_s - view->submit_s;
    double slope = span_s > 0 ? view->work_s / span_s : 1;
    bool on_demand = view->running && view->runs_on == PURCHASE_ON_DEMAND;
    if (behind(view, since_s * slope)) {
        d.want = spot_is_there(view) ? PURCHASE_SPOT : PURCHASE_ON_DEMAND;
    } else if (!view->running) {
        d.ask_again_at_s = view->submit_s + view->done_s / slope;
    }
    if (p->hysteresis && on_demand) {
        double lead_s = (since_s + 2 * view->overhead_s) * slope;
        if (!view->spot_obtainable || view->done_s <= lead_s) {
            d.want = PURCHASE_ON_DEMAND;
        }
        if (view->spot_obtainable && view->done_s <= lead_s) {
            d.ask_again_at_s = ahead_at_s(view, lead_s, slope);
        }
    } else if (on_demand) {
        d.ask_again_at_s = ahead_at_s(view, since_s * slope, slope);
    }
    return safety_net(view, margin_s, d);
}

static bool switches_back(const void *params)
{
    (void)params;
    return true;
}

const struct policy policy_uniform_progress = {
    .schema = &policy_uniform_progress_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true},
    .switches_back = switches_back,
    .decide = decide,
    .needs_deadline = true,
};
