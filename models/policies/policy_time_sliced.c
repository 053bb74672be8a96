/* SPDX-License-Identifier: GPL-3.0-or-later
 * `time-sliced`: the time to the deadline in slices; each has its share of the work to do, by the
 * greedy rule with the slice's end as deadline. What was gained or missed in the slices before is
 * carried over (Can't Be Late, NSDI 2024, "Time Sliced"). Notes: the slice under way, counted from
 * 1, and the work done when it began. */
#include "models/policies/policy_rows.h"
#include "models/policies/safety_net.h"

#include <math.h>

struct sliced_params {
    struct schema_item item;
    struct number margin;
    struct number slice;
};

static const struct schema_key keys[] = {
    POLICY_MARGIN_KEY(struct sliced_params, margin),
    {.name = "slice",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 1e9,
     .default_text = "4h",
     .offset = offsetof(struct sliced_params, slice),
     .help = "Length of a slice; the last one ends at the deadline."},
};

const struct schema policy_time_sliced_schema = {
    .name = "time-sliced",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct sliced_params),
    .help = "Divides the time to the deadline into slices with equal shares of the work, and is "
            "greedy within each.",
};

/* Of the slice under way, in seconds from submission. */
struct slice {
    double start_s, end_s;
    double left_s; /* of its share: what is still to be done in it */
    double gain_s; /* of all slices before; negative: they missed some */
};

static struct slice slice_of(const struct policy_view *v, double length_s, double span_s,
                             double noted[POLICY_NOTES])
{
    double since_s = v->now_s - v->submit_s;
    double last = fmax(ceil(span_s / length_s) - 1, 0);
    double index = fmin(floor(since_s / length_s), last);
    if (noted[0] != index + 1) {
        noted[0] = index + 1;
        noted[1] = v->done_s;
    }
    struct slice s = {.start_s = index * length_s, .end_s = fmin((index + 1) * length_s, span_s)};
    double share_s = v->work_s * (s.end_s - s.start_s) / span_s;
    s.left_s = share_s - (v->done_s - noted[1]);
    s.gain_s = noted[1] - v->work_s * s.start_s / span_s;
    return s;
}

static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    const struct sliced_params *p = params;
    struct policy_decision d = {.want = PURCHASE_SPOT,
                                .ask_again_at_s = HUGE_VAL,
                                .noted = {view->noted[0], view->noted[1]}};
    double margin_s = p->margin.median, over_s = view->overhead_s;
    double span_s = view->deadline_s - margin_s - view->submit_s;
    if (!(span_s > 0)) {
        return safety_net(view, margin_s, d);
    }
    struct slice s = slice_of(view, p->slice.median, span_s, d.noted);
    bool on_spot = view->running && view->runs_on == PURCHASE_SPOT;
    double now_s = view->now_s - view->submit_s;
    /* The slice as a job of its own, whose deadline moves by what was gained before. */
    struct policy_view within = *view;
    within.deadline_s = view->submit_s + s.end_s + s.gain_s;
    within.work_left_s = s.left_s;
    double left_s = safety_net_left_s(&within, 0);
    bool served =
        s.left_s - s.gain_s <= SAFETY_NET_NOTHING_S &&
        safety_net_need_s(view, view->work_left_s + 2 * over_s) < safety_net_left_s(view, margin_s);
    if (!served) {
        if (!on_spot && safety_net_need_s(view, s.left_s + 2 * over_s) >= left_s) {
            d.want = PURCHASE_ON_DEMAND;
        }
        if (safety_net_need_s(view, s.left_s + over_s) >= left_s) {
            d.want = works_on_spot(view) ? PURCHASE_SPOT : PURCHASE_ON_DEMAND;
        }
        double needs_s = s.left_s + (on_spot ? over_s : 2 * over_s);
        double tight_s = s.end_s + s.gain_s - needs_s;
        if (d.want == PURCHASE_SPOT && !works_on_spot(view) && tight_s > now_s) {
            d.ask_again_at_s = view->submit_s + tight_s + SAFETY_NET_NOTHING_S;
        }
        if (view->running && !on_spot) { /* when the share is done, spot will do again */
            double wait_s = view->overhead_left_s + fmax(0, s.left_s - s.gain_s);
            d.ask_again_at_s =
                fmin(d.ask_again_at_s, view->now_s + fmax(wait_s, POLICY_LOOK_AGAIN_S));
        }
    }
    if (s.end_s < span_s) {
        d.ask_again_at_s = fmin(d.ask_again_at_s, view->submit_s + s.end_s);
    }
    return safety_net(view, margin_s, d);
}

static bool switches_back(const void *params)
{
    (void)params;
    return true;
}

const struct policy policy_time_sliced = {
    .schema = &policy_time_sliced_schema,
    .uses = {[PURCHASE_ON_DEMAND] = true, [PURCHASE_SPOT] = true},
    .switches_back = switches_back,
    .decide = decide,
    .needs_deadline = true,
};
