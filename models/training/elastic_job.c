/* SPDX-License-Identifier: GPL-3.0-or-later
 * The life of an elastic job, and what it hears. Which nodes take part is in elastic_moves.h. */
#include "models/training/elastic_job.h"

#include "models/fleet/team_nodes.h"
#include "models/fleet/trail.h"
#include "models/training/elastic_failures.h"
#include "models/training/elastic_moves.h"
#include "models/training/elastic_zones.h"
#include "models/training/zone_span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the crews tell ---- */

static void on_change(void *owner, struct crew *c)
{
    (void)c;
    elastic_consider(owner);
}

/* Others may be ready at the same instant. */
static void on_ready(void *owner, struct crew *c)
{
    (void)c;
    elastic_soon(owner);
}

/* Who keeps the state works on to the end of the notice; else it is saved, if it can be. */
static void on_noticed(void *owner, struct crew *c)
{
    struct elastic_job *j = owner;
    if (c->team.noticed > 0 && !elastic_continues(j, 0)) {
        progress_notice(&j->progress, c);
    }
    elastic_consider(j);
}

static void on_losing(void *owner, struct crew *c)
{
    struct elastic_job *j = owner;
    if (c->team.going == 0 || j->nodes == 0) {
        return;
    }
    if (j->down) { /* the others go on, or wait, once the failure is noticed */
        elastic_down_look(j);
        if (!elastic_continues(j, 0)) {
            progress_forget(&j->progress);
        }
        return;
    }
    j->shrinks = true;
    if (elastic_continues(j, 0)) {
        progress_pause(&j->progress);
    } else {
        progress_lose(&j->progress);
    }
}

/* What is left of a gang that is launched anew after a loss. */
static void give_up_rest(struct elastic_job *j)
{
    if (j->plan->elastic.whole && j->plan->spec->restart == RESTART_GANG && j->nodes == 0 &&
        !j->over) {
        elastic_note(j, "the rest of the gang is given back");
        elastic_give_back(j);
    }
}

static void on_lost(void *owner, struct crew *c)
{
    struct elastic_job *j = owner;
    if (j->shrinks) {
        j->shrinks = false;
        j->result.losses++;
        trail_mark(fleet_trail(j->fleet), j->calendar->now_s, j->plan->work.workload, TRAIL_LOSS,
                   c->pool);
        elastic_go_on(j);
        give_up_rest(j);
    }
    elastic_consider(j);
}

/* Several zones may change at one instant: what is asked where waits until all have. */
static void on_capacity(void *owner, struct crew *c)
{
    struct elastic_job *j = owner;
    (void)c;
    j->asleep = false;
    if (j->plan->zones > 1) {
        elastic_soon(j);
    } else {
        elastic_consider(j);
    }
}

/* What others give back wakes a sleeper only if it will have enough of it. */
static void on_room(void *owner, struct crew *c)
{
    struct elastic_job *j = owner;
    uint32_t room = j->plan->span_zones > 0 ? elastic_room_on(j, c->purchase) : crew_room(c);
    j->asleep = j->asleep && room < j->plan->elastic.least;
    elastic_consider(j);
}

static const struct crew_events crew_events_of_elastic = {
    .granted = on_change,
    .ready = on_ready,
    .noticed = on_noticed,
    .losing = on_losing,
    .lost = on_lost,
    .failed = elastic_node_failed,
    .capacity = on_capacity,
    .room = on_room,
};

/* ---- what the work tells ---- */

static void on_finished(void *owner)
{
    elastic_end(owner, true, END_FINISHED);
}

static void stop_for_good(struct elastic_job *j)
{
    progress_stop(&j->progress);
    bool complete = progress_complete(&j->progress);
    elastic_end(j, complete, complete ? END_FINISHED : END_BUDGET);
}

/* Some are ready that do not take part, or will go that do. */
static bool others_would_run(const struct elastic_job *j)
{
    uint32_t others = 0;
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        others += team_joiners(j->fill.crews[k]) + j->fill.crews[k]->team.noticed;
    }
    return others > 0 && elastic_target(j) >= j->plan->elastic.least;
}

/* All that was done is saved, and the gang waits: for whatever it was saved for. */
static void on_saved(void *owner, bool leaving)
{
    struct elastic_job *j = owner;
    if (j->stopping) {
        stop_for_good(j);
        return;
    }
    if (j->leaves_spot || j->leaves_on_demand || j->leaves_block) {
        elastic_consider(j);
    }
    if (j->over || j->progress.phase != PHASE_SAVED) {
        return;
    }
    if (others_would_run(j)) {
        progress_stop(&j->progress);
        elastic_reshape(j, true);
        elastic_consider(j);
    } else if (leaving) {
        progress_work_on(&j->progress);
    }
}

static const struct progress_events progress_events_of_elastic = {.finished = on_finished,
                                                                  .saved = on_saved};

static void budget_reached(void *owner)
{
    struct elastic_job *j = owner;
    enum phase phase = j->progress.phase;
    j->stopping = true;
    bool writes = phase == PHASE_RESCUE || phase == PHASE_LEAVE;
    if (!writes && !(phase == PHASE_WORK && progress_leave(&j->progress))) {
        stop_for_good(j);
    } /* else on_saved goes on */
}

static void window_closes(void *owner)
{
    struct elastic_job *j = owner;
    if (j->crews[PURCHASE_BLOCK]->held > 0) {
        elastic_note(j, "the window of the capacity block closes");
    }
    elastic_consider(j);
}

/* ---- life ---- */

struct elastic_job *elastic_job_new(const struct training_plan *plan, struct fleet *fleet)
{
    struct elastic_job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        return NULL;
    }
    struct crew *crews[SITE_COUNT];
    uint32_t count = 0;
    j->plan = plan;
    j->fleet = fleet;
    j->calendar = fleet_calendar(fleet);
    progress_init(&j->progress, plan, fleet, &progress_events_of_elastic, j);
    for (int k = 0; k < SITE_COUNT; k++) {
        if (plan->pools[k] < 0) {
            continue;
        }
        struct crew *c = fleet_add_crew(fleet, &crew_events_of_elastic, j, plan->work.workload,
                                        plan->work.workload_name, plan->pools[k], plan->work.nodes,
                                        &plan->spec->boot);
        if (c == NULL) {
            free(j);
            return NULL;
        }
        team_make(c);
        j->index[k] = count;
        j->crews[k] = crews[count++] = c;
    }
    fill_init(&j->fill, j->entries, 0, crews, count);
    window_watch_init(&j->windows, j->calendar, market_plan_of(fleet_market(fleet)),
                      plan->pools[PURCHASE_BLOCK], plan->save_before_s, window_closes, j);
    return j;
}

void elastic_job_free(struct elastic_job *j)
{
    free(j);
}

static void submit(void *actor, uint64_t tag)
{
    struct elastic_job *j = actor;
    (void)tag;
    j->submitted = true;
    j->submitted_s = j->calendar->now_s; /* which a project that slips has moved */
    j->wanted_since_s = j->calendar->now_s;
    window_watch_start(&j->windows);
    elastic_zones_begin(j);
    elastic_note(j, "submitted");
    if (progress_complete(&j->progress)) {
        elastic_end(j, true, END_FINISHED);
        return;
    }
    elastic_track_idle(j);
    elastic_consider(j);
    if (j->windows.failed) {
        fleet_fail(j->fleet);
    }
}

bool elastic_job_begin(struct elastic_job *j, const double *drawn)
{
    const struct elastic_spec *s = &j->plan->spec->elastic;
    const bool whole = j->plan->elastic.whole;
    j->resize_s = whole ? 0 : number_value(&s->resize, drawn);
    j->settle_s = whole ? HUGE_VAL : number_value(&s->settle, drawn);
    j->patience_s = number_value(&j->plan->spec->patience, drawn);
    j->nodes = 0;
    j->submitted = j->over = j->stopping = j->beyond_horizon = false;
    j->considering = j->again = j->shrinks = j->asleep = false;
    j->leaves_spot = j->leaves_on_demand = j->leaves_block = false;
    j->spot = NULL;
    j->crossed_s = j->crossed_from_s = 0;
    window_watch_reset(&j->windows);
    j->window_event = EVENT_NONE;
    j->joiner_since_s = j->idle_since_s = -1;
    j->submitted_s = j->wanted_since_s = 0;
    j->settle_event = j->patience_event = j->ask_again_event = EVENT_NONE;
    j->look_event = j->ready_event = j->closing_event = EVENT_NONE;
    memset(j->noted, 0, sizeof j->noted);
    j->result = (struct work_result){0};
    fill_begin(&j->fill);
    j->fill.holds = true;
    spending_begin(&j->spending, j->plan, j->fleet, j->crews, j->spares, budget_reached, j);
    return progress_begin(&j->progress, drawn) && elastic_failures_begin(j, drawn) &&
           isfinite(training_staging_s(j->plan, drawn)) &&
           (j->plan->work.awaits ||
            calendar_schedule(j->calendar, work_submit_s(&j->plan->work, drawn), EVENT_WORK, submit,
                              j, 0, NULL) == CALENDAR_OK);
}

void elastic_job_start(struct elastic_job *j)
{
    if (!j->over) {
        submit(j, 0);
    }
}

void elastic_job_forgo(struct elastic_job *j)
{
    if (!j->over) {
        elastic_note(j, "what it follows is not done: it never begins");
        elastic_end(j, false, END_RELEASED);
    }
}

bool elastic_job_done(const struct elastic_job *j)
{
    return j->over;
}

void elastic_job_horizon(struct elastic_job *j)
{
    if (j->over) {
        return;
    }
    if (j->plan->spec->at_horizon == AT_HORIZON_CUT) {
        progress_stop(&j->progress);
        elastic_end(j, false, END_HORIZON);
    } else {
        j->beyond_horizon = true;
        elastic_note(j, "the horizon: the rest is finished on-demand");
        elastic_consider(j);
    }
}

void elastic_job_cancel(struct elastic_job *j)
{
    if (!j->over) {
        progress_stop(&j->progress);
        j->result.cancelled = true;
        elastic_end(j, false, END_CANCELLED);
    }
}

struct work_result elastic_job_result(const struct elastic_job *j)
{
    struct work_result r = j->result;
    double useful_share = training_work_time(j->plan, j->progress.drawn).useful_share;
    r.work_s = j->progress.work_s * useful_share;
    r.kept_s = j->progress.kept_s * useful_share;
    r.checkpoints = j->progress.checkpoints;
    r.checkpoint_at_s = j->progress.written_at_s;
    r.restarts = j->progress.restarts;
    r.resizes = j->plan->elastic.whole ? 0 : j->progress.resizes;
    r.crossed_bytes = zone_span_crossed_bytes(j->plan, j->progress.drawn, elastic_crossed_s(j));
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        r.launches += j->fill.crews[k]->launched;
        r.interruptions += j->fill.crews[k]->interrupted;
        r.failures += j->fill.crews[k]->failures;
    }
    return r;
}
