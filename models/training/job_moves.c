/* SPDX-License-Identifier: GPL-3.0-or-later
 * The end of a capacity block's window is known: the job saves its work before, gives the nodes
 * back, and does not ask for the block again until the window is over. */
#include "models/training/job_moves.h"

#include "models/training/asking_limits.h"
#include "models/training/job_view.h"

#include <math.h>
#include <string.h>

static struct policy_decision decide(struct job *j);

void job_note(const struct job *j, const char *text)
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
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL && j->crews[k]->held > 0) {
            return false;
        }
    }
    return true;
}

void job_track_idle(struct job *j)
{
    spending_look(&j->spending);
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

void job_end(struct job *j, bool finished, enum end_reason reason)
{
    j->over = true;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            crew_release(j->crews[k], reason);
        }
    }
    calendar_cancel(j->calendar, j->patience_event);
    calendar_cancel(j->calendar, j->ask_again_event);
    calendar_cancel(j->calendar, j->look_event);
    window_watch_stop(&j->windows);
    spending_stop(&j->spending);
    job_track_idle(j);
    j->active = j->incoming = NULL;
    j->result.finished = finished;
    j->result.end_s = j->calendar->now_s;
    job_note(j, finished                  ? "the work is done"
                : reason == END_CANCELLED ? "the project is cancelled"
                : reason == END_BUDGET    ? "the work stops at its budget"
                                          : "the horizon cuts the work");
}

static void on_finished(void *owner)
{
    job_end(owner, true, END_FINISHED);
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
    job_track_idle(j);
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
    job_note(j, "patience is over: the nodes held are given back");
    drop_active(j);
    /* Where room is not what lacks (nodes that come after a wait), nothing will tell of more. */
    j->asleep[training_site(j->plan, c->pool)] = !crew_obtainable(c);
    job_reconsider(j);
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
        job_end(j, true, END_FINISHED);
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
    spending_look(&j->spending);
    run(j);
}

/* The active gang goes, for on-demand, which is only asked now. */
void job_move_at_horizon(struct job *j)
{
    if (stop(j)) {
        return;
    }
    j->result.switches += j->whole;
    drop_active(j);
    job_reconsider(j);
}

void job_dismiss_incoming(struct job *j)
{
    struct crew *c = j->incoming;
    j->incoming = NULL;
    if (c != NULL) {
        crew_release(c, END_RELEASED);
    }
}

/* ---- the end of a budget ---- */

static void stop_for_good(struct job *j)
{
    if (!stop(j)) {
        job_end(j, false, END_BUDGET);
    }
}

void job_budget_reached(void *owner)
{
    struct job *j = owner;
    enum phase phase = j->progress.phase;
    j->stopping = true;
    job_dismiss_incoming(j);
    bool writes = phase == PHASE_RESCUE || phase == PHASE_LEAVE;
    bool may_write = phase == PHASE_WORK && j->active->noticed == 0;
    if (!writes && !(may_write && progress_leave(&j->progress))) {
        stop_for_good(j);
    } /* else on_saved goes on */
}

/* ---- the end of a capacity block's window ---- */

/* The active gang goes, since its window is about to close. */
static void leave_window(struct job *j)
{
    if (!stop(j)) {
        drop_active(j);
        job_reconsider(j);
    }
}

void job_window_closes(void *owner)
{
    struct job *j = owner;
    struct crew *c = j->crews[PURCHASE_BLOCK];
    if (c == j->incoming) {
        job_dismiss_incoming(j);
        job_track_idle(j);
        job_reconsider(j);
    } else if (c == j->active) {
        enum phase phase = j->progress.phase;
        if (phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_SAVED) {
            leave_window(j);
        } else if (phase == PHASE_WORK) {
            job_note(j, "the window of the capacity block closes");
            progress_leave(&j->progress); /* on_saved follows; without checkpoints work goes on */
        }
    }
}

/* All that was done is saved: by a checkpoint before a planned move, or because of a notice. */
static void on_saved(void *owner, bool leaving)
{
    struct job *j = owner;
    if (j->stopping) {
        stop_for_good(j);
    } else if (is_ready(j, j->incoming)) {
        move_to_incoming(j);
    } else if (j->active->purchase == PURCHASE_BLOCK && window_watch_closed(&j->windows)) {
        leave_window(j);
    } else if (j->beyond_horizon && j->active->purchase == PURCHASE_SPOT) {
        job_move_at_horizon(j);
    } else if (leaving && j->incoming == NULL && decide(j).give_up) {
        if (!stop(j)) {
            drop_active(j);
            job_reconsider(j);
        }
    } else if (leaving) {
        progress_work_on(&j->progress); /* the new nodes are gone again, or not yet ready */
    }
}

const struct progress_events job_progress_events = {.finished = on_finished, .saved = on_saved};

/* ---- what the crews tell ---- */

static void on_granted(void *owner, struct crew *c)
{
    struct job *j = owner;
    job_track_idle(j);
    if (c == j->active) {
        j->whole = crew_complete(c);
        watch_patience(j);
    }
    if (crew_complete(c)) {
        zone_watch_note(&j->zones, c);
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
        job_end(j, true, END_FINISHED);
        return;
    }
    if (j->stopping) {
        job_end(j, false, END_BUDGET);
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
        job_track_idle(j);
    }
    job_reconsider(j);
}

static void on_lost(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->active) {
        on_active_lost(j);
    } else if (c == j->incoming) {
        job_dismiss_incoming(j);
        job_track_idle(j);
        job_reconsider(j);
    }
}

static void look_at_zones(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    j->look_event = EVENT_NONE;
    job_reconsider(j);
}

/* Several zones may change at one instant: the choice between them waits until all have. */
static void on_capacity(void *owner, struct crew *c)
{
    struct job *j = owner;
    j->asleep[training_site(j->plan, c->pool)] = false;
    if (j->plan->zones < 2) {
        job_reconsider(j);
    } else if (j->submitted && !j->over && !calendar_pending(j->calendar, j->look_event)) {
        at(j, j->calendar->now_s, look_at_zones, &j->look_event);
    }
}

/* What others give back wakes a sleeper only if it will have enough of it: two gangs that are both
 * too large for what is left would pass it to and fro. */
static void on_room(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (crew_obtainable(c)) {
        j->asleep[training_site(j->plan, c->pool)] = false;
    }
    job_reconsider(j);
}

const struct crew_events job_crew_events = {
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
    job_reconsider(actor);
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
    zone_watch_look(&j->zones);
    double dear_until_s;
    asking_limits_look(j->plan, j->fleet, j->crews, j->dear, &dear_until_s);
    j->spot = zone_watch_choose(&j->zones, j->active, j->asleep, j->dear);
    struct job_situation situation = {
        .plan = j->plan,
        .progress = &j->progress,
        .windows = &j->windows,
        .fleet = j->fleet,
        .crews = j->crews,
        .spot = j->spot,
        .dear = j->dear,
        .active = j->active,
        .spot_wanted_since_s = j->whole ? j->calendar->now_s : j->spot_wanted_since_s,
    };
    struct policy_view view = job_view(&situation);
    memcpy(view.noted, j->noted, sizeof view.noted);
    struct policy_decision d = j->plan->policy->decide(j->plan->policy_params, &view);
    memcpy(j->noted, d.noted, sizeof j->noted);
    at(j, fmin(d.ask_again_at_s, dear_until_s), ask_again, &j->ask_again_event);
    return d;
}

static void note_zone(const struct job *j, const struct crew *c)
{
    struct journal *journal = fleet_journal(j->fleet);
    if (journal != NULL && j->plan->zones > 1 && c->purchase == PURCHASE_SPOT) {
        journal_add(journal, j->calendar->now_s, j->plan->work.workload, "spot in %s",
                    market_pool_info(market_plan_of(fleet_market(j->fleet)), c->pool)->zone);
    }
}

/* The active gang is complete: it is left only for another complete one, and works on meanwhile. */
static void call_in(struct job *j, struct crew *target)
{
    if (j->incoming == NULL && crew_obtainable(target)) {
        job_note(j, "moves: the other pool is asked while work goes on");
        note_zone(j, target);
        j->incoming = target;
        crew_ask(target);
    }
}

/* Those who sleep elsewhere may be asked again once another way to buy has been. */
static void wake_others(struct job *j, enum purchase purchase)
{
    for (int k = 0; k < SITE_COUNT; k++) {
        j->asleep[k] = j->asleep[k] && site_purchase(k) == purchase;
    }
}

/* No gang runs: the target is asked, or taken as it is when it boots already. NULL: nobody is. */
static void begin_anew(struct job *j, struct crew *target)
{
    struct crew *incoming = j->incoming;
    if (j->active != NULL) {
        drop_active(j);
    }
    if (incoming == target) {
        j->incoming = NULL;
    } else {
        job_dismiss_incoming(j);
    }
    if (target != NULL && !j->asleep[training_site(j->plan, target->pool)]) {
        wake_others(j, target->purchase);
        set_active(j, target);
        note_zone(j, target);
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
    job_note(j, "the gang is given up");
    if (!stop(j)) {
        drop_active(j);
        job_reconsider(j);
    }
}

static void follow(struct job *j, struct crew *target, bool giving_up)
{
    bool whole = j->active != NULL && crew_complete(j->active);
    if (target == NULL && whole && !giving_up) {
        /* Nothing better is to be had. */
    } else if (target != NULL && target->purchase == PURCHASE_BLOCK &&
               window_watch_closed(&j->windows) && j->active != target) {
        /* It is asked when the window is over. */
        at(j, j->windows.closed_until_s, ask_again, &j->ask_again_event);
    } else if (j->active != NULL && j->active == target) {
        crew_ask(target);
    } else if (whole) {
        if (giving_up && j->incoming == NULL && (target == NULL || !crew_obtainable(target))) {
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

/* The gang that the policy wants; NULL: none may be asked. */
static struct crew *wanted(const struct job *j, enum purchase want)
{
    if (j->beyond_horizon) {
        return j->crews[want]; /* what is left is finished whatever it costs */
    }
    return want == PURCHASE_SPOT ? j->spot : j->dear[want] ? NULL : j->crews[want];
}

void job_reconsider(struct job *j)
{
    if (j->submitted && !j->over && !j->stopping) {
        struct policy_decision d = decide(j);
        follow(j, wanted(j, d.want), d.give_up);
        job_track_idle(j);
    }
}
