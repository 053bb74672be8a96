/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/safety_net.h"

#include <math.h>

double safety_net_left_s(const struct policy_view *v, double margin_s)
{
    double left_s = v->deadline_s - margin_s - v->at_risk_s - v->now_s;
    return v->tick_s > 0 ? floor(left_s / v->tick_s) * v->tick_s : left_s;
}

double safety_net_need_s(const struct policy_view *v, double need_s)
{
    return v->tick_s > 0 ? ceil(need_s / v->tick_s) * v->tick_s : need_s;
}

/* A little later than computed, so that the rounding of the sum cannot make the net hold just not
 * yet, for ever. What is past has had its say already. */
static void ask_by(const struct policy_view *v, double time_s, struct policy_decision *d)
{
    double again_s = time_s + SAFETY_NET_NOTHING_S;
    if (again_s > v->now_s) {
        d->ask_again_at_s = fmin(d->ask_again_at_s, again_s);
    }
}

struct policy_decision safety_net(const struct policy_view *v, double margin_s,
                                  struct policy_decision choice)
{
    bool on_spot = v->running && v->runs_on == PURCHASE_SPOT;
    double end_s = v->deadline_s - margin_s - v->at_risk_s, left_s = safety_net_left_s(v, margin_s);
    double one_s = v->work_left_s + v->overhead_s, two_s = one_s + v->overhead_s;
    /* In continuous time on-demand, once it runs, is left with one overhead more to spare: its work
     * goes on by fits and starts, with checkpoints, round the line on which it was begun. */
    double need_s = two_s + (v->running && !on_spot && !(v->tick_s > 0) ? v->overhead_s : 0);
    if (!on_spot && safety_net_need_s(v, need_s) >= left_s) {
        choice.want = PURCHASE_ON_DEMAND;
    }
    if (safety_net_need_s(v, one_s) >= left_s) {
        bool spot = v->overhead_s == 0 ? spot_is_there(v) : works_on_spot(v);
        choice.want = spot ? PURCHASE_SPOT : PURCHASE_ON_DEMAND;
    } else if (!v->running) {
        ask_by(v, end_s - two_s, &choice);
    } else if (on_spot && !works_on_spot(v)) {
        ask_by(v, end_s - one_s, &choice);
    }
    choice.give_up = choice.want == PURCHASE_SPOT && v->running &&
                     v->runs_on == PURCHASE_ON_DEMAND && !v->spot_obtainable;
    return choice;
}
