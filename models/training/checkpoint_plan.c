/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/checkpoint_plan.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "models/policies/checkpoint_interval.h"

#include <math.h>

/* So that a write that just fits is complete when the instances go, whatever its rounding. */
#define WINDOW_MARGIN_S 1e-3

static bool uses(const struct training_plan *p, int purchase)
{
    return policy_uses(p->policy, p->policy_params, (enum purchase)purchase);
}

static bool is_automatic(const struct checkpoint_spec *c)
{
    return !c->every.given || c->every.word == 0;
}

/* Planning takes `on_notice` to save the work at this site. */
static bool notice_saves(const struct making *m, int site)
{
    return m->spec->on_notice == ON_NOTICE_CHECKPOINT &&
           m->spec->checkpoint.write.median <=
               market_planned_notice_s(m->market, m->plan->pools[site]);
}

/* Planning knows medians; a user should know what that costs where the write may take longer. */
static void warn_of_long_writes(const struct making *m, int site)
{
    const struct number *write = &m->spec->checkpoint.write;
    double notice_s = market_planned_notice_s(m->market, m->plan->pools[site]);
    if (write->input < 0) {
        return;
    }
    const struct input *input = inputs_at(m->context->inputs, (size_t)write->input);
    if (distribution_quantile(&input->distribution, 0.95) > notice_s) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "checkpoints of '%s' take longer than the notice in more than 5 %% of the worlds; "
            "there 'on_notice: checkpoint' saves nothing, and 'every: auto' writes none before: "
            "state "
            "'every'",
            m->plan->work.workload_name);
    }
}

static void plan_interval(const struct making *m, int site)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    const bool zoned = p->zones > 1 && site_purchase(site) == PURCHASE_SPOT;
    bool saves = notice_saves(m, site);
    double rate = saves ? 0 : market_planned_loss_rate(m->market, p->pools[site], p->work.nodes);
    /* Free to write means free to write often, but not infinitely often: a floor of a second. */
    p->every_s[site] = fmax(1, checkpoint_interval_s(rate, c->write.median));
    const char *what = making_name(
        m, "checkpoint interval of %s on %u %s node%s%s%s", p->work.workload_name, p->work.nodes,
        purchase_names[site_purchase(site)], text_plural(p->work.nodes), zoned ? " in " : "",
        zoned ? market_pool_info(m->market, p->pools[site])->zone : "");
    struct assumptions *a = m->context->assumptions;
    char text[32];
    if (saves) {
        assumptions_add(a, false, "auto", what,
                        "no periodic checkpoint: one fits into the notice, which saves the work");
        warn_of_long_writes(m, site);
    } else if (isinf(p->every_s[site])) {
        assumptions_add(a, false, "auto", what, "no periodic checkpoint: nothing is left to lose");
    } else {
        assumptions_add(a, false, "auto", what,
                        "%s of useful work (Lambert W, %.3g losses a day while running)",
                        quantity_time_text(p->every_s[site], text), rate * 86400);
    }
}

static void make_intervals(const struct making *m)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (p->pools[k] < 0 || c->mode != CHECKPOINT_PERIODIC) {
            continue;
        }
        if (is_automatic(c)) {
            plan_interval(m, k);
        } else {
            p->every_s[k] = c->every.median;
        }
    }
}

/* How long before a window closes the last checkpoint in it is begun. */
static void plan_window_end(const struct making *m)
{
    const struct number *write = &m->spec->checkpoint.write;
    struct training_plan *p = m->plan;
    if (p->pools[PURCHASE_BLOCK] < 0 || m->spec->checkpoint.mode == CHECKPOINT_NONE) {
        return;
    }
    if (m->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        p->save_before_s = WINDOW_MARGIN_S;
        return;
    }
    double write_s = write->median;
    if (write->input >= 0) {
        const struct input *input = inputs_at(m->context->inputs, (size_t)write->input);
        write_s = fmax(write_s, distribution_quantile(&input->distribution, 0.999));
    }
    char text[32];
    p->save_before_s = write_s + WINDOW_MARGIN_S;
    assumptions_add(
        m->context->assumptions, false, "auto",
        making_name(m, "last checkpoint of %s in a capacity block", p->work.workload_name),
        "begun %s before the instances go%s", quantity_time_text(write_s, text),
        write->input >= 0 ? ", in time in 99.9 % of the worlds" : "");
}

bool checkpoint_plan_check(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (m->spec->checkpoint.mode != CHECKPOINT_NONE) {
        return true;
    }
    if (uses(p, PURCHASE_BLOCK)) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "workload '%s' writes no checkpoints: what is not done when the window of a capacity "
            "block closes is lost",
            p->work.workload_name);
    }
    if (uses(p, PURCHASE_SPOT)) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "workload '%s' writes no checkpoints: every interruption throws all its work away",
            p->work.workload_name);
    }
    if (p->policy->switches_back != NULL && p->policy->switches_back(p->policy_params)) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "strategy '%s' goes back from a working gang, which needs checkpoints, but workload "
            "'%s' writes none; give it a 'checkpoint' section or another policy",
            m->strategy->item.name, p->work.workload_name);
    }
    return true;
}

void checkpoint_plan_make(const struct making *m)
{
    make_intervals(m);
    plan_window_end(m);
}

double training_every_s(const struct training_plan *plan, int site, const double *drawn)
{
    const struct checkpoint_spec *c = &plan->spec->checkpoint;
    bool planned = is_automatic(c) || isinf(plan->every_s[site]);
    return planned ? plan->every_s[site] : number_value(&c->every, drawn);
}
