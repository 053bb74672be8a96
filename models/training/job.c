/* SPDX-License-Identifier: GPL-3.0-or-later
 * The life of a job in a world, from its submission to its end. Which gang runs when is in
 * job_moves.h, what it hears in job_news.h. */
#include "models/training/job.h"

#include "models/training/job_failures.h"
#include "models/training/job_moves.h"
#include "models/training/job_news.h"
#include "models/training/zone_span.h"

#include <stdlib.h>
#include <string.h>

static void submit(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    j->submitted = true;
    j->submitted_s = j->calendar->now_s; /* which a project that slips has moved */
    window_watch_start(&j->windows);
    zone_watch_begin(&j->zones, j->plan, j->fleet, j->crews);
    j->spot_wanted_since_s = j->calendar->now_s;
    job_note(j, "submitted");
    if (progress_complete(&j->progress)) {
        job_end(j, true, END_FINISHED);
        return;
    }
    job_track_idle(j);
    job_reconsider(j);
    if (j->windows.failed) {
        fleet_fail(j->fleet);
    }
}

static void list_own(struct job *j)
{
    for (int k = 0; k < 2 * SITE_COUNT; k++) {
        struct crew *c = k < SITE_COUNT ? j->crews[k] : j->spares[k - SITE_COUNT];
        if (c != NULL) {
            j->own[j->own_count++] = c;
        }
    }
}

struct job *job_new(const struct training_plan *plan, struct fleet *fleet)
{
    struct job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        return NULL;
    }
    j->plan = plan;
    j->fleet = fleet;
    j->calendar = fleet_calendar(fleet);
    progress_init(&j->progress, plan, fleet, &job_progress_events, j);
    window_watch_init(&j->windows, j->calendar, market_plan_of(fleet_market(fleet)),
                      plan->pools[PURCHASE_BLOCK], plan->save_before_s, job_window_closes, j);
    for (int k = 0; k < SITE_COUNT; k++) {
        if (plan->pools[k] < 0) {
            continue;
        }
        j->crews[k] = fleet_add_crew(fleet, &job_crew_events, j, plan->work.workload,
                                     plan->work.workload_name, plan->pools[k], plan->work.nodes,
                                     &plan->spec->boot);
        if (j->crews[k] == NULL) {
            free(j);
            return NULL;
        }
    }
    if (!job_failures_make(j)) {
        free(j);
        return NULL;
    }
    list_own(j);
    return j;
}

void job_free(struct job *j)
{
    free(j);
}

bool job_begin(struct job *j, const double *drawn)
{
    j->active = j->incoming = NULL;
    memset(j->asleep, 0, sizeof j->asleep);
    j->whole = j->submitted = j->over = j->beyond_horizon = false;
    j->patience_s = number_value(&j->plan->spec->patience, drawn);
    j->spot_wanted_since_s = j->submitted_s = 0;
    memset(j->noted, 0, sizeof j->noted);
    j->decided = (struct policy_decision){0};
    j->idle_since_s = -1;
    j->patience_placed = false;
    j->patience_event = j->ask_again_event = j->look_event = EVENT_NONE;
    window_watch_reset(&j->windows);
    j->stopping = false;
    spending_begin(&j->spending, j->plan, j->fleet, j->crews, j->spares, job_budget_reached, j);
    j->result = (struct work_result){0};
    j->result.may_fail = j->plan->reliability.fails;
    j->useful_share = training_work_time(j->plan, drawn).useful_share;
    return progress_begin(&j->progress, drawn) && job_failures_begin(j, drawn) &&
           (j->plan->work.awaits ||
            calendar_schedule(j->calendar, work_submit_s(&j->plan->work, drawn), EVENT_WORK, submit,
                              j, 0, NULL) == CALENDAR_OK);
}

void job_start(struct job *j)
{
    if (!j->over) {
        submit(j, 0);
    }
}

void job_forgo(struct job *j)
{
    if (!j->over) {
        job_note(j, "what it follows is not done: it never begins");
        job_end(j, false, END_RELEASED);
    }
}

bool job_done(const struct job *j)
{
    return j->over;
}

/* From now on on-demand alone is asked; what spot has done is saved first, if it can be. */
static void go_on_beyond_horizon(struct job *j)
{
    j->beyond_horizon = true;
    if (!j->submitted) {
        return; /* it will be asked for when it is */
    }
    job_note(j, "the horizon: the rest is finished on-demand");
    if (j->incoming != NULL && j->incoming->purchase == PURCHASE_SPOT) {
        job_dismiss_incoming(j);
    }
    if (j->active == NULL || j->active->purchase != PURCHASE_SPOT) {
        job_reconsider(j);
        return;
    }
    enum phase phase = j->progress.phase;
    bool writes = phase == PHASE_RESCUE || phase == PHASE_LEAVE;
    bool may_write = phase == PHASE_WORK && j->active->noticed == 0;
    if (!writes && !(may_write && progress_leave(&j->progress))) {
        job_move_at_horizon(j);
    }
}

void job_horizon(struct job *j)
{
    if (j->over) {
        return;
    }
    if (j->plan->spec->at_horizon == AT_HORIZON_CUT) {
        progress_stop(&j->progress);
        job_end(j, false, END_HORIZON);
    } else {
        go_on_beyond_horizon(j);
    }
}

void job_cancel(struct job *j)
{
    if (!j->over) {
        progress_stop(&j->progress);
        j->result.cancelled = true;
        job_end(j, false, END_CANCELLED);
    }
}

struct work_result job_result(const struct job *j)
{
    struct work_result r = j->result;
    r.work_s = j->progress.work_s * j->useful_share;
    r.kept_s = j->progress.kept_s * j->useful_share;
    r.checkpoints = j->progress.checkpoints;
    r.checkpoint_at_s = j->progress.written_at_s;
    r.restarts = j->progress.restarts;
    double worked_s = 0;
    for (size_t i = 0; i < j->own_count; i++) {
        const struct crew *c = j->own[i];
        r.launches += c->launched;
        r.interruptions += c->interrupted;
        r.failures += c->failures;
        worked_s += c->did_s[ACTIVITY_USEFUL] + c->did_s[ACTIVITY_LOST];
    }
    r.crossed_bytes =
        zone_span_crossed_bytes(j->plan, j->progress.drawn, worked_s * j->plan->span_zones);
    return r;
}
