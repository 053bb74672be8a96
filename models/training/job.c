/* SPDX-License-Identifier: GPL-3.0-or-later
 * A job moves between at most two gangs, one a way to buy. `active` is the one that gathers or
 * runs; `incoming` boots in another pool while the active one works on. Whatever happens ends in
 * `reconsider`, which asks the policy and sets out to follow it.
 *
 * The end of a capacity block's window is known: the job saves its work before, gives the nodes
 * back, and does not ask for the block again until the window is over. */
#include "models/training/job.h"

#include "models/training/job_view.h"
#include "models/training/progress.h"
#include "models/training/window_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[PURCHASE_COUNT]; /* NULL where the plan has no pool */
    struct crew *active;                /* asking, booting or running; NULL: none */
    struct crew *incoming;              /* complete, booting while `active` works on */
    struct crew *asleep; /* gave its nodes back out of patience: asks again when its pool changes */
    bool whole;          /* the active gang has been complete since it last lost nodes */
    bool submitted, over;
    bool beyond_horizon; /* finishing on-demand */
    struct progress progress;
    double patience_s;
    double spot_wanted_since_s; /* while no gang is whole */
    double idle_since_s;        /* < 0: some node is held */
    struct event_id patience_event, ask_again_event;
    struct window_watch windows; /* of its capacity blocks */
    double noted[POLICY_NOTES];  /* what the policy keeps between its decisions */
    struct work_result result;
};

static void reconsider(struct job *j);
static struct policy_decision decide(struct job *j);

static void note(const struct job *j, const char *text)
{
    journal_add(fleet_journal(j->fleet), j->calendar->now_s, j->plan->work.workload, "%s", text);
}

/* Replaces an event of this job; a time of +infinity never comes. */
static void at(struct job *j, double time_s, event_handler *handler, struct event_id *id)
{
    if (id->generation != EVENT_NONE.generation) {
        calendar_cancel(j->calendar, *id);
        *id = EVENT_NONE;
    }
    if (isfinite(time_s) &&
        calendar_schedule(j->calendar, time_s, EVENT_POLICY, handler, j, 0, id) != CALENDAR_OK) {
        fleet_fail(j->fleet);
    }
}

/* ---- accounting ---- */

static bool holds_nothing(const struct job *j)
{
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL && j->crews[k]->held > 0) {
            return false;
        }
    }
    return true;
}

/* Idle time runs while nothing is held; called whenever that may have changed. */
static void track_idle(struct job *j)
{
    bool idle = j->submitted && !j->over && holds_nothing(j);
    double now_s = j->calendar->now_s;
    if (idle && j->idle_since_s < 0) {
        j->idle_since_s = now_s;
    } else if (!idle && j->idle_since_s >= 0) {
        j->result.idle_s += now_s - j->idle_since_s;
        j->idle_since_s = -1;
    }
}

/* ---- the end ---- */

static void job_over(struct job *j, bool finished, enum end_reason reason)
{
    j->over = true;
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            crew_release(j->crews[k], reason);
        }
    }
    calendar_cancel(j->calendar, j->patience_event);
    calendar_cancel(j->calendar, j->ask_again_event);
    window_watch_stop(&j->windows);
    track_idle(j);
    j->active = j->incoming = j->asleep = NULL;
    j->result.finished = finished;
    j->result.end_s = j->calendar->now_s;
    note(j, finished                  ? "the work is done"
            : reason == END_CANCELLED ? "the project is cancelled"
                                      : "the horizon cuts the work");
}

static void on_finished(void *owner)
{
    job_over(owner, true, END_FINISHED);
}

/* ---- gangs come and go ---- */

/* Patience runs while some, but not all nodes are held; its end counts once none is on its way. */
static void patience_over(void *actor, uint64_t tag);

static void watch_patience(struct job *j)
{
    const struct crew *c = j->active;
    if (c == NULL || c->held == 0 || crew_complete(c)) {
        calendar_cancel(j->calendar, j->patience_event);
    } else if (!calendar_pending(j->calendar, j->patience_event)) {
        at(j, j->calendar->now_s + j->patience_s, patience_over, &j->patience_event);
    }
}

/* The gang that counts from now on; NULL: none. */
static void set_active(struct job *j, struct crew *c)
{
    j->active = c;
    j->whole = c != NULL && crew_complete(c);
    watch_patience(j);
}

static void drop_active(struct job *j)
{
    struct crew *left = j->active;
    set_active(j, NULL);
    crew_release(left, END_RELEASED);
    track_idle(j);
}

static void patience_over(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    struct crew *c = j->active;
    if (c->waiting > 0) {
        /* Nodes that come after a wait are sure to come: what is held is kept for them. */
        double again_s = j->patience_s > 60 ? j->patience_s : 60;
        at(j, j->calendar->now_s + again_s, patience_over, &j->patience_event);
        return;
    }
    note(j, "patience is over: the nodes held are given back");
    drop_active(j);
    /* Where room is not what lacks (nodes that come after a wait), nothing will tell of more. */
    j->asleep = crew_obtainable(c) ? NULL : c;
    reconsider(j);
}

static bool is_ready(const struct job *j, const struct crew *c)
{
    if (c == NULL || !crew_complete(c)) {
        return false;
    }
    fleet_count_work(c->fleet, c->size);
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->nodes[i].ready_s > j->calendar->now_s) {
            return false;
        }
    }
    return true;
}

static void run(struct job *j)
{
    progress_run(&j->progress, j->active, j->result.losses > 0);
}

/* Stops the gang that runs, of our own will. True when that was the end of all work. */
static bool stop(struct job *j)
{
    progress_stop(&j->progress);
    bool complete = progress_complete(&j->progress);
    if (complete) {
        job_over(j, true, END_FINISHED);
    }
    return complete;
}

static void move_to_incoming(struct job *j)
{
    struct crew *left = j->active;
    if (stop(j)) {
        return;
    }
    set_active(j, j->incoming);
    j->incoming = NULL;
    j->result.switches++;
    crew_release(left, END_RELEASED);
    run(j);
}

/* The active gang goes, for on-demand, which is only asked now. */
static void move_at_horizon(struct job *j)
{
    if (stop(j)) {
        return;
    }
    j->result.switches += j->whole;
    drop_active(j);
    reconsider(j);
}

/* ---- the end of a capacity block's window ---- */

/* The active gang goes, since its window is about to close. */
static void leave_window(struct job *j)
{
    if (!stop(j)) {
        drop_active(j);
        reconsider(j);
    }
}

static void on_window_closes(void *owner)
{
    struct job *j = owner;
    struct crew *c = j->crews[PURCHASE_BLOCK];
    if (c == j->incoming) {
        j->incoming = NULL;
        crew_release(c, END_RELEASED);
        track_idle(j);
        reconsider(j);
    } else if (c == j->active) {
        enum phase phase = j->progress.phase;
        if (phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_SAVED) {
            leave_window(j);
        } else if (phase == PHASE_WORK) {
            note(j, "the window of the capacity block closes");
            progress_leave(&j->progress); /* on_saved follows; without checkpoints work goes on */
        }
    }
}

/* All that was done is saved: by a checkpoint before a planned move, or because of a notice. */
static void on_saved(void *owner, bool leaving)
{
    struct job *j = owner;
    if (is_ready(j, j->incoming)) {
        move_to_incoming(j);
    } else if (j->active->purchase == PURCHASE_BLOCK && window_watch_closed(&j->windows)) {
        leave_window(j);
    } else if (j->beyond_horizon && j->active->purchase == PURCHASE_SPOT) {
        move_at_horizon(j);
    } else if (leaving && j->incoming == NULL && decide(j).give_up) {
        if (!stop(j)) {
            drop_active(j);
            reconsider(j);
        }
    } else if (leaving) {
        progress_work_on(&j->progress); /* the new nodes are gone again, or not yet ready */
    }
}

static const struct progress_events progress_events = {.finished = on_finished, .saved = on_saved};

/* ---- what the crews tell ---- */

static void on_granted(void *owner, struct crew *c)
{
    struct job *j = owner;
    track_idle(j);
    if (c == j->active) {
        j->whole = crew_complete(c);
        watch_patience(j);
    }
}

static void on_ready(void *owner, struct crew *c)
{
    struct job *j = owner;
    enum phase phase = j->progress.phase;
    if (c == j->active) {
        run(j);
    } else if (c == j->incoming) {
        if (phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_SAVED ||
            (phase == PHASE_WORK && !progress_leave(&j->progress))) {
            move_to_incoming(j);
        }
        /* else a write is under way; on_saved sees that the new nodes are ready */
    }
}

static void on_noticed(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->progress.crew) {
        progress_notice(&j->progress);
    }
}

static void on_losing(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->progress.crew) {
        progress_stop(&j->progress);
    }
}

static void on_active_lost(struct job *j)
{
    bool was_whole = j->whole;
    if (progress_complete(&j->progress)) {
        job_over(j, true, END_FINISHED);
        return;
    }
    j->whole = false;
    if (was_whole) {
        j->result.losses++;
        j->spot_wanted_since_s = j->calendar->now_s;
    }
    if (is_ready(j, j->incoming)) {
        move_to_incoming(j);
        return;
    }
    /* A gang that was still gathering only lost some nodes: it asks for those again. */
    if (was_whole && j->plan->spec->restart == RESTART_GANG) {
        drop_active(j);
    } else {
        watch_patience(j);
        track_idle(j);
    }
    reconsider(j);
}

static void on_lost(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->active) {
        on_active_lost(j);
    } else if (c == j->incoming) {
        j->incoming = NULL;
        crew_release(c, END_RELEASED);
        track_idle(j);
        reconsider(j);
    }
}

static void on_capacity(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (j->asleep == c) {
        j->asleep = NULL;
    }
    reconsider(j);
}

/* What others give back wakes a sleeper only if it will have enough of it: two gangs that are both
 * too large for what is left would pass it to and fro. */
static void on_room(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (j->asleep == c && crew_obtainable(c)) {
        j->asleep = NULL;
    }
    reconsider(j);
}

static const struct crew_events crew_events = {
    .granted = on_granted,
    .ready = on_ready,
    .noticed = on_noticed,
    .losing = on_losing,
    .lost = on_lost,
    .capacity = on_capacity,
    .room = on_room,
};

/* ---- decisions ---- */

static void ask_again(void *actor, uint64_t tag)
{
    (void)tag;
    reconsider(actor);
}

/* What is paid already is used to the end of its window. */
static enum purchase decide_beyond_horizon(const struct job *j)
{
    const struct crew *c = j->active;
    bool paid = c != NULL && crew_complete(c) &&
                (c->purchase == PURCHASE_BLOCK || c->purchase == PURCHASE_OWNED);
    return paid ? c->purchase : PURCHASE_ON_DEMAND;
}

static struct policy_decision decide(struct job *j)
{
    if (j->beyond_horizon) {
        return (struct policy_decision){.want = decide_beyond_horizon(j)};
    }
    struct job_situation situation = {
        .plan = j->plan,
        .progress = &j->progress,
        .windows = &j->windows,
        .fleet = j->fleet,
        .crews = j->crews,
        .active = j->active,
        .spot_wanted_since_s = j->whole ? j->calendar->now_s : j->spot_wanted_since_s,
    };
    struct policy_view view = job_view(&situation);
    memcpy(view.noted, j->noted, sizeof view.noted);
    struct policy_decision d = j->plan->policy->decide(j->plan->policy_params, &view);
    memcpy(j->noted, d.noted, sizeof j->noted);
    at(j, d.ask_again_at_s, ask_again, &j->ask_again_event);
    return d;
}

/* The active gang is complete: it is left only for another complete one, and works on meanwhile. */
static void call_in(struct job *j, struct crew *target)
{
    if (j->incoming == NULL && crew_obtainable(target)) {
        note(j, "moves: the other pool is asked while work goes on");
        j->incoming = target;
        crew_ask(target);
    }
}

/* No gang runs: the target is asked, or taken as it is when it boots already. */
static void begin_anew(struct job *j, struct crew *target)
{
    struct crew *incoming = j->incoming;
    if (j->active != NULL) {
        drop_active(j);
    }
    j->incoming = NULL;
    if (incoming != NULL && incoming != target) {
        crew_release(incoming, END_RELEASED);
    }
    if (j->asleep != target) {
        j->asleep = NULL;
        set_active(j, target);
        crew_ask(target);
        if (incoming == target && is_ready(j, target)) {
            run(j);
        }
    }
}

/* The gang that runs is given up for a pool that has no room now; what it did is saved first. */
static void give_up(struct job *j)
{
    enum phase phase = j->progress.phase;
    if (phase == PHASE_LEAVE || phase == PHASE_RESCUE ||
        (phase == PHASE_WORK && progress_leave(&j->progress))) {
        return; /* on_saved goes on */
    }
    note(j, "the gang is given up");
    if (!stop(j)) {
        drop_active(j);
        reconsider(j);
    }
}

static void follow(struct job *j, struct crew *target, bool giving_up)
{
    if (target->purchase == PURCHASE_BLOCK && window_watch_closed(&j->windows) &&
        j->active != target) {
        /* It is asked when the window is over. */
        at(j, j->windows.closed_until_s, ask_again, &j->ask_again_event);
    } else if (j->active == target) {
        crew_ask(target);
    } else if (j->active != NULL && crew_complete(j->active)) {
        if (giving_up && j->incoming == NULL && !crew_obtainable(target)) {
            give_up(j);
        } else {
            call_in(j, target);
        }
    } else if (j->active != NULL && j->active->noticed > 0) {
        /* What goes on until the notice ends is decided when it ended. */
    } else {
        begin_anew(j, target);
    }
}

/* Asks the policy and sets out to follow it. Called whenever something changed. */
static void reconsider(struct job *j)
{
    if (j->submitted && !j->over) {
        struct policy_decision d = decide(j);
        follow(j, j->crews[d.want], d.give_up);
        track_idle(j);
    }
}

/* ---- life ---- */

static void submit(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    j->submitted = true;
    window_watch_start(&j->windows);
    j->spot_wanted_since_s = j->calendar->now_s;
    note(j, "submitted");
    if (progress_complete(&j->progress)) {
        job_over(j, true, END_FINISHED);
        return;
    }
    track_idle(j);
    reconsider(j);
    if (j->windows.failed) {
        fleet_fail(j->fleet);
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
    progress_init(&j->progress, plan, fleet, &progress_events, j);
    window_watch_init(&j->windows, j->calendar, market_plan_of(fleet_market(fleet)),
                      plan->pools[PURCHASE_BLOCK], plan->save_before_s, on_window_closes, j);
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (plan->pools[k] < 0) {
            continue;
        }
        j->crews[k] =
            fleet_add_crew(fleet, &crew_events, j, plan->work.workload, plan->work.workload_name,
                           plan->pools[k], plan->work.nodes, &plan->spec->boot);
        if (j->crews[k] == NULL) {
            free(j);
            return NULL;
        }
    }
    return j;
}

void job_free(struct job *j)
{
    free(j);
}

bool job_begin(struct job *j, const double *drawn)
{
    j->active = j->incoming = j->asleep = NULL;
    j->whole = j->submitted = j->over = j->beyond_horizon = false;
    j->patience_s = number_value(&j->plan->spec->patience, drawn);
    j->spot_wanted_since_s = 0;
    memset(j->noted, 0, sizeof j->noted);
    j->idle_since_s = -1;
    j->patience_event = j->ask_again_event = EVENT_NONE;
    window_watch_reset(&j->windows);
    j->result = (struct work_result){0};
    return progress_begin(&j->progress, drawn) &&
           calendar_schedule(j->calendar, work_submit_s(&j->plan->work, drawn), EVENT_WORK, submit,
                             j, 0, NULL) == CALENDAR_OK;
}

bool job_done(const struct job *j)
{
    return j->over;
}

/* From now on on-demand alone is asked; what spot has done is saved first, if it can be. */
static void go_on_beyond_horizon(struct job *j)
{
    j->beyond_horizon = true;
    note(j, "the horizon: the rest is finished on-demand");
    struct crew *incoming = j->incoming;
    if (incoming != NULL && incoming->purchase == PURCHASE_SPOT) {
        j->incoming = NULL;
        crew_release(incoming, END_RELEASED);
    }
    if (j->active == NULL || j->active->purchase != PURCHASE_SPOT) {
        reconsider(j);
        return;
    }
    enum phase phase = j->progress.phase;
    bool writes = phase == PHASE_RESCUE || phase == PHASE_LEAVE;
    bool may_write = phase == PHASE_WORK && j->active->noticed == 0;
    if (!writes && !(may_write && progress_leave(&j->progress))) {
        move_at_horizon(j);
    }
}

void job_horizon(struct job *j)
{
    if (j->over) {
        return;
    }
    if (j->plan->spec->at_horizon == AT_HORIZON_CUT) {
        progress_stop(&j->progress);
        job_over(j, false, END_HORIZON);
    } else {
        go_on_beyond_horizon(j);
    }
}

void job_cancel(struct job *j)
{
    if (!j->over) {
        progress_stop(&j->progress);
        j->result.cancelled = true;
        job_over(j, false, END_CANCELLED);
    }
}

struct work_result job_result(const struct job *j)
{
    struct work_result r = j->result;
    r.work_s = j->progress.work_s;
    r.kept_s = j->progress.kept_s;
    r.checkpoints = j->progress.checkpoints;
    r.checkpoint_at_s = j->progress.written_at_s;
    r.restarts = j->progress.restarts;
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            r.launches += j->crews[k]->launched;
            r.interruptions += j->crews[k]->interrupted;
        }
    }
    return r;
}
