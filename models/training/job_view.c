/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/job_view.h"

#include "models/fleet/running_price.h"

#include <math.h>

static struct policy_price price_of_gang(void *context, enum purchase purchase)
{
    const struct job_situation *s = context;
    const struct crew *c =
        purchase == PURCHASE_SPOT && s->spot != NULL ? s->spot : s->crews[purchase];
    struct gang_price p = fleet_gang_price(s->fleet, c);
    return (struct policy_price){.per_hour = p.per_hour, .list_per_hour = p.list_per_hour};
}

static double prices_change_s(void *context)
{
    const struct job_situation *s = context;
    return running_price_change_s(fleet_prices(s->fleet), fleet_calendar(s->fleet)->now_s);
}

/* Held or waited for as a whole, or there is room for it. */
static bool on_its_way(const struct crew *c)
{
    return c != NULL && (c->held + c->waiting > 0 ? c->asked == 0 : crew_obtainable(c));
}

/* The gang that runs does not work yet. */
static bool is_overhead(const struct progress *p)
{
    return p->phase == PHASE_NONE || p->phase == PHASE_RESTORE;
}

#define OVERRUN_S 1.0 /* what is left, as planned, of what takes longer than planned */

static double overhead_left_s(const struct job_situation *s)
{
    double planned_s = s->plan->work.planned_overhead_s;
    double left_s = planned_s - (fleet_calendar(s->fleet)->now_s - s->whole_since_s);
    return is_overhead(s->progress) ? fmin(fmax(left_s, OVERRUN_S), planned_s) : 0;
}

/* How much longer than its useful seconds work takes on on-demand, checkpoints included, as
 * planned. */
static double planned_pace(const struct training_plan *plan)
{
    double every_s = plan->every_s[PURCHASE_ON_DEMAND];
    return isfinite(every_s) && every_s > 0
               ? 1 + checkpoint_pause_s(plan, plan->work.nodes, NULL) / every_s
               : 1;
}

/* In whichever zone it runs. */
static double most_at_risk_s(const struct training_plan *plan)
{
    double risk_s = 0;
    for (size_t i = 0; i < plan->zones; i++) {
        double every_s = plan->every_s[site_of_zone(i)];
        risk_s = isfinite(every_s) ? fmax(risk_s, every_s) : risk_s; /* else all is saved in time */
    }
    /* What is copied, but not yet written, is lost as well. */
    bool behind = risk_s > 0 && plan->spec->checkpoint.asynchronous;
    return behind ? risk_s + checkpoint_write_s(plan, plan->work.nodes, NULL) : risk_s;
}

static bool spot_obtainable(const struct job_situation *s)
{
    const struct crew *c = s->spot;
    return c != NULL && c->held == 0 && crew_obtainable(c);
}

/* Before any of it is done at the planned speed, then at the speed that was observed. */
void job_view_work(const struct training_plan *plan, const struct progress *progress,
                   struct policy_view *view)
{
    struct progress_now now = progress_now(progress);
    double pace = planned_pace(plan);
    double all_s = now.done_s > 0 ? progress->work_s : plan->work.planned_work_s;
    view->work_s = all_s * pace;
    view->done_s = now.done_s * pace;
    view->work_left_s = fmax(all_s - now.kept_s, 0) * pace;
    view->at_risk_s = most_at_risk_s(plan) * pace;
}

struct policy_view job_view(struct job_situation *s)
{
    const struct crew *block = s->crews[PURCHASE_BLOCK];
    bool running = s->active != NULL && crew_complete(s->active);
    bool signs = fleet_prices(s->fleet) != NULL;
    const struct work_plan *work = &s->plan->work;
    s->prices = (struct policy_prices){
        .gang = price_of_gang, .changes_at_s = prices_change_s, .context = s};
    struct policy_view view = {
        .now_s = fleet_calendar(s->fleet)->now_s,
        .running = running,
        .runs_on = running ? s->active->purchase : PURCHASE_ON_DEMAND,
        .spot_obtainable = spot_obtainable(s),
        .spot_wanted_since_s = s->spot_wanted_since_s,
        .nodes = work->nodes,
        .deadline_s = work->deadline_s,
        .overhead_s = work->planned_overhead_s,
        .submit_s = s->submitted_s,
        .tick_s = s->plan->spec->look_every.median,
        .overhead_left_s = running ? overhead_left_s(s) : 0,
        .prices = signs ? &s->prices : NULL,
        .on_demand_obtainable =
            signs && !s->dear[PURCHASE_ON_DEMAND] && on_its_way(s->crews[PURCHASE_ON_DEMAND]),
        .block_obtainable = block != NULL && block->held == 0 && !s->dear[PURCHASE_BLOCK] &&
                            !window_watch_closed(s->windows) && crew_obtainable(block),
        .block_to_come = window_watch_to_come(s->windows, work->nodes),
    };
    job_view_work(s->plan, s->progress, &view);
    return view;
}
