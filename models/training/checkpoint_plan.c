/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/checkpoint_plan.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "models/policies/checkpoint_interval.h"
#include "models/training/planned_losses.h"

#include <math.h>

/* So that a write that just fits is complete when the instances go, whatever its rounding. */
#define WINDOW_MARGIN_S 1e-3

static bool uses(const struct training_plan *p, int purchase)
{
    return policy_uses(p->policy, p->policy_params, (enum purchase)purchase);
}

static bool is_automatic(const struct checkpoint_spec *c)
{
    return !c->every.given || c->every.word >= 0;
}

/* On which it may have to be written. */
static uint32_t fewest(const struct training_plan *p)
{
    return p->elastic.is ? p->elastic.least : p->work.nodes;
}

/* Planning takes `on_notice` to save the work at this site. */
static bool notice_saves(const struct making *m, int site)
{
    const struct training_plan *p = m->plan;
    return m->spec->on_notice == ON_NOTICE_CHECKPOINT &&
           checkpoint_complete_s(p, fewest(p), NULL) <=
               market_planned_notice_s(m->market, p->pools[site]);
}

/* Planning knows medians; a user should know what that costs where the write may take longer. */
static void warn_of_long_writes(const struct making *m, int site)
{
    double notice_s = market_planned_notice_s(m->market, m->plan->pools[site]);
    if (checkpoint_complete_within_s(m, fewest(m->plan), 0.05) > notice_s) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "checkpoints of '%s' take longer than the notice in more than 5 %% of the worlds; "
            "there 'on_notice: checkpoint' saves nothing, and 'every: auto' writes none before: "
            "state "
            "'every'",
            m->plan->work.workload_name);
    }
}

/* Where a write takes as long as there is between two losses, hardly anything is kept. */
static void warn_of_losses(const struct making *m, double rate, double pause_s)
{
    char write[32], between[32];
    if (pause_s * rate > 0.5) {
        making_complain_once(
            m, DIAGNOSTIC_WARNING, m->spec->item.place,
            "a checkpoint of '%s' makes its work stand still for %s, and it loses nodes every %s: "
            "most of its time goes to waste; expected a shorter 'write', 'asynchronous: yes' or "
            "fewer nodes",
            m->plan->work.workload_name, quantity_time_text(pause_s, write),
            quantity_time_text(1 / rate, between));
    }
}

double checkpoint_best_interval_s(const struct checkpoint_spec *c, double rate, double pause_s,
                                  double write_s)
{
    /* Free to write means free to write often, but not infinitely often: a floor of a second. */
    double every_s = fmax(1, checkpoint_interval_s(rate, pause_s));
    return c->asynchronous ? fmax(every_s, write_s) : every_s;
}

/* What is planned at this site, in words. */
static void assume_interval(const struct making *m, int site, const char *what)
{
    const struct training_plan *p = m->plan;
    struct assumptions *a = m->context->assumptions;
    double every_s = p->every_s[site], rate = p->loss_per_s[site];
    char text[32];
    if (p->adaptive) {
        assumptions_add(a, false, "adaptive", what,
                        "%s of useful work at first (%.3g losses a day), then by what was seen: "
                        "the planned rate counts as much as a quarter of a loss",
                        quantity_time_text(every_s, text), rate * 86400);
    } else if (notice_saves(m, site) && isinf(every_s)) {
        assumptions_add(a, false, "auto", what,
                        "no periodic checkpoint: one fits into the notice, which saves the work");
        warn_of_long_writes(m, site);
    } else if (isinf(every_s)) {
        assumptions_add(a, false, "auto", what, "no periodic checkpoint: nothing is left to lose");
    } else {
        bool held = m->spec->checkpoint.asynchronous &&
                    every_s <= checkpoint_write_s(p, p->work.nodes, NULL);
        assumptions_add(a, false, "auto", what,
                        "%s of useful work (%s, %.3g losses a day while running)",
                        quantity_time_text(every_s, text),
                        held ? "as long as a write takes" : "Lambert W", rate * 86400);
    }
}

static void plan_interval(const struct making *m, int site)
{
    struct training_plan *p = m->plan;
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    const bool zoned = p->zones > 1 && site_purchase(site) == PURCHASE_SPOT;
    double pause_s = checkpoint_pause_s(p, p->work.nodes, NULL);
    /* Failures of hardware give no notice. */
    double rate = notice_saves(m, site) ? training_planned_failure_rate_per_s(p)
                                        : training_planned_loss_rate(m->market, p, site);
    if (p->adaptive) {
        /* Who plans for no loss at all would never write one, and never learn but by losing all. */
        rate = fmax(rate, 1 / fmax(1, training_work_s(p, NULL)));
    }
    p->loss_per_s[site] = rate;
    p->every_s[site] =
        checkpoint_best_interval_s(c, rate, pause_s, checkpoint_write_s(p, p->work.nodes, NULL));
    warn_of_losses(m, rate, pause_s);
    assume_interval(m, site,
                    making_name(m, "checkpoint interval of %s on %u %s node%s%s%s",
                                p->work.workload_name, p->work.nodes,
                                purchase_names[site_purchase(site)], text_plural(p->work.nodes),
                                zoned ? " in " : "",
                                zoned ? market_pool_info(m->market, p->pools[site])->zone : ""));
}

static void make_intervals(const struct making *m)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    struct training_plan *p = m->plan;
    p->adaptive = c->mode == CHECKPOINT_PERIODIC && c->every.word == EVERY_ADAPTIVE;
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
    struct training_plan *p = m->plan;
    if (p->pools[PURCHASE_BLOCK] < 0 || m->spec->checkpoint.mode == CHECKPOINT_NONE) {
        return;
    }
    if (m->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        p->save_before_s = WINDOW_MARGIN_S;
        return;
    }
    double planned_s = checkpoint_complete_s(p, p->work.nodes, NULL);
    double write_s = fmax(planned_s, checkpoint_complete_within_s(m, p->work.nodes, 0.001));
    char text[32];
    p->save_before_s = write_s + WINDOW_MARGIN_S;
    assumptions_add(
        m->context->assumptions, false, "auto",
        making_name(m, "last checkpoint of %s in a capacity block", p->work.workload_name),
        "begun %s before the instances go%s", quantity_time_text(write_s, text),
        write_s > planned_s ? ", in time in 99.9 % of the worlds" : "");
}

/* While one is written in the background the next cannot begin. */
static bool check_every(const struct making *m)
{
    const struct checkpoint_spec *c = &m->spec->checkpoint;
    double write_s = checkpoint_write_s(m->plan, m->plan->work.nodes, NULL);
    char every[32], write[32];
    return !c->asynchronous || is_automatic(c) || c->every.median >= write_s ||
           making_complain_once(m, DIAGNOSTIC_ERROR, m->spec->item.place,
                                "checkpoints of '%s' are to begin every %s, but each is written "
                                "in the background for %s; expected 'every' to be no shorter",
                                m->plan->work.workload_name,
                                quantity_time_text(c->every.median, every),
                                quantity_time_text(write_s, write));
}

bool checkpoint_plan_check(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (m->spec->checkpoint.mode != CHECKPOINT_NONE) {
        return check_every(m);
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
    double every_s = planned ? plan->every_s[site] : number_value(&c->every, drawn);
    return c->asynchronous ? fmax(every_s, checkpoint_write_s(plan, plan->work.nodes, drawn))
                           : every_s;
}
