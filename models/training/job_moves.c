/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/job_moves.h"

#include "models/training/asking_limits.h"
#include "models/training/job_failures.h"
#include "models/training/job_view.h"

#include <math.h>
#include <string.h>

/* By so much a look may miss its instant, as floating-point numbers go. */
#define LOOK_ROUNDING_S 1e-6

void job_note(const struct job *j, const char *text)
{
    journal_add(fleet_journal(j->fleet), j->calendar->now_s, j->plan->work.workload, "%s", text);
}

void job_at(struct job *j, double time_s, event_handler *handler, uint64_t tag, struct event_id *id)
{
    if (id->generation != EVENT_NONE.generation) {
        calendar_cancel(j->calendar, *id);
        *id = EVENT_NONE;
    }
    if (isfinite(time_s) &&
        calendar_schedule(j->calendar, time_s, EVENT_POLICY, handler, j, tag, id) != CALENDAR_OK) {
        fleet_fail(j->fleet);
    }
}

/* ---- accounting ---- */

static bool holds_nothing(const struct job *j)
{
    if (j->active != NULL && j->active->held > 0) {
        return false; /* mostly so */
    }
    for (size_t i = 0; i < j->own_count; i++) {
        if (j->own[i]->held > 0) {
            return false;
        }
    }
    return true;
}

void job_leave_trail(const struct job *j)
{
    struct trail *trail = fleet_trail(j->fleet);
    if (trail == NULL || (j->progress.phase != PHASE_NONE && !j->over)) {
        return;
    }
    const struct crew *c = j->active != NULL && j->active->held > 0 ? j->active : j->incoming;
    bool none = !j->submitted || j->over;
    bool idle = c == NULL || c->held == 0;
    trail_enter(trail, j->calendar->now_s, j->plan->work.workload,
                none               ? TRAIL_NONE
                : idle             ? TRAIL_IDLE
                : j->down          ? TRAIL_DOWN
                : crew_complete(c) ? TRAIL_BOOT
                                   : TRAIL_GATHER,
                none || idle ? -1 : c->pool, none || idle ? 0 : c->held);
}

void job_track_idle(struct job *j)
{
    job_leave_trail(j);
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
    job_down_over(j);
    j->over = true;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            crew_release(j->crews[k], reason);
        }
        if (j->spares[k] != NULL) {
            crew_release(j->spares[k], reason);
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
    trail_mark(fleet_trail(j->fleet), j->result.end_s, j->plan->work.workload,
               finished ? TRAIL_DONE : TRAIL_CUT, -1);
    job_note(j, finished                  ? "the work is done"
                : reason == END_CANCELLED ? "the project is cancelled"
                : reason == END_BUDGET    ? "the work stops at its budget"
                : reason == END_RELEASED  ? "the work is given up"
                                          : "the horizon cuts the work");
}

/* ---- gangs come and go ---- */

static void patience_over(void *actor, uint64_t tag);

static bool patience_runs(const struct job *j)
{
    const struct crew *c = j->active;
    return c != NULL && c->held > 0 && !crew_complete(c) && !j->down;
}

void job_watch_patience(struct job *j)
{
    const double over_s = j->calendar->now_s + j->patience_s;
    if (!patience_runs(j)) {
        calendar_cancel(j->calendar, j->patience_event);
        j->patience_event = EVENT_NONE;
    } else if (j->patience_placed) {
        if (isfinite(over_s) &&
            calendar_schedule_in_place(j->calendar, j->patience_place, over_s, EVENT_POLICY,
                                       patience_over, j, 0, &j->patience_event) != CALENDAR_OK) {
            fleet_fail(j->fleet);
        }
    } else if (!calendar_pending(j->calendar, j->patience_event)) {
        job_at(j, over_s, patience_over, 0, &j->patience_event);
    }
    j->patience_placed = false;
}

void job_expect_patience(struct job *j)
{
    if (patience_runs(j) && !calendar_pending(j->calendar, j->patience_event)) {
        j->patience_place = calendar_take_place(j->calendar);
        j->patience_placed = true;
    } else {
        job_watch_patience(j);
    }
}

void job_set_active(struct job *j, struct crew *c)
{
    job_down_over(j);
    j->active = c;
    j->whole = c != NULL && crew_complete(c);
    j->whole_since_s = j->calendar->now_s;
    job_watch_patience(j);
}

/* With its spares. */
static void release(struct job *j, struct crew *c)
{
    struct crew *spares = j->spares[training_site(j->plan, c->pool)];
    crew_release(c, END_RELEASED);
    if (spares != NULL) {
        crew_release(spares, END_RELEASED);
    }
}

void job_drop_active(struct job *j)
{
    struct crew *left = j->active;
    job_set_active(j, NULL);
    release(j, left);
    job_track_idle(j);
}

static void patience_over(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    struct crew *c = j->active;
    j->patience_event = EVENT_NONE;
    if (c->waiting > 0) {
        /* Nodes that come after a wait are sure to come: what is held is kept for them. */
        double again_s = j->patience_s > 60 ? j->patience_s : 60;
        job_at(j, j->calendar->now_s + again_s, patience_over, 0, &j->patience_event);
        return;
    }
    job_note(j, "patience is over: the nodes held are given back");
    job_drop_active(j);
    /* Where room is not what lacks (nodes that come after a wait), nothing will tell of more. */
    j->asleep[training_site(j->plan, c->pool)] = !crew_obtainable(c);
    job_reconsider(j);
}

bool job_is_ready(const struct job *j, const struct crew *c)
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

void job_run(struct job *j)
{
    progress_run(&j->progress, j->active, j->result.losses > 0);
}

bool job_stop(struct job *j)
{
    progress_stop(&j->progress);
    bool complete = progress_complete(&j->progress);
    if (complete) {
        job_end(j, true, END_FINISHED);
    }
    return complete;
}

void job_move_to_incoming(struct job *j)
{
    struct crew *left = j->active;
    if (job_stop(j)) {
        return;
    }
    job_set_active(j, j->incoming);
    j->incoming = NULL;
    j->result.switches++;
    release(j, left);
    spending_look(&j->spending);
    job_run(j);
    job_spares_ask(j);
}

void job_move_at_horizon(struct job *j)
{
    if (job_stop(j)) {
        return;
    }
    j->result.switches += j->whole;
    job_drop_active(j);
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

/* ---- decisions ---- */

static void ask_again(void *actor, uint64_t tag)
{
    (void)tag;
    job_reconsider(actor);
}

/* Until now a policy with a deadline could not say when it would be ahead: that is counted from a
 * gang that is there. At a rate of looks the next look sees it. */
void job_ask_of_gang(struct job *j)
{
    if (j->plan->policy->needs_deadline && !(j->plan->spec->look_every.median > 0)) {
        job_at(j, j->calendar->now_s, ask_again, 0, &j->ask_again_event);
    }
}

/* What is paid already is used to the end of its window. */
static enum purchase decide_beyond_horizon(const struct job *j)
{
    const struct crew *c = j->active;
    bool paid = c != NULL && crew_complete(c) &&
                (c->purchase == PURCHASE_BLOCK || c->purchase == PURCHASE_OWNED);
    return paid ? c->purchase : PURCHASE_ON_DEMAND;
}

/* Looks since submission, the one of this instant included; *now: there is one. */
static double looks_so_far(const struct job *j, double every_s, bool *now)
{
    double looks = (j->calendar->now_s - j->submitted_s) / every_s, whole = floor(looks + 1e-6);
    *now = fabs(looks - whole) * every_s < LOOK_ROUNDING_S;
    return whole + 1;
}

/* The next decision is due at the next look, whatever the policy asks for. */
static void decide_at_looks(struct job *j, struct policy_decision *d)
{
    double every_s = j->plan->spec->look_every.median;
    bool now;
    if (every_s > 0) {
        d->ask_again_at_s = j->submitted_s + looks_so_far(j, every_s, &now) * every_s;
        j->decided = *d;
    }
}

/* A policy that looks at something. Not to be inlined: the others would make room for its view. */
static __attribute__((noinline)) struct policy_decision ask_by_view(struct job *j)
{
    const struct training_plan *plan = j->plan;
    struct job_situation situation = {
        .plan = plan,
        .submitted_s = j->submitted_s,
        .progress = &j->progress,
        .windows = &j->windows,
        .fleet = j->fleet,
        .crews = j->crews,
        .spot = j->spot,
        .dear = j->dear,
        .active = j->active,
        .whole_since_s = j->whole_since_s,
        .spot_wanted_since_s = j->whole ? j->calendar->now_s : j->spot_wanted_since_s,
    };
    struct policy_view view = job_view(&situation);
    memcpy(view.noted, j->noted, sizeof view.noted);
    struct policy_decision d = plan->policy->decide(plan->policy_params, &view);
    memcpy(j->noted, d.noted, sizeof j->noted);
    return d;
}

static struct policy_decision ask_policy(struct job *j)
{
    const struct training_plan *plan = j->plan;
    if (plan->policy->looks_at_nothing) {
        /* static: to clear it anew took a twentieth of a world's time */
        static const struct policy_view nothing = {0};
        return plan->policy->decide(plan->policy_params, &nothing);
    }
    return ask_by_view(j);
}

struct job_choice job_decide(struct job *j)
{
    const double every_s = j->plan->spec->look_every.median;
    bool looks = true;
    if (j->beyond_horizon) {
        return (struct job_choice){.want = decide_beyond_horizon(j)};
    }
    if (every_s > 0) {
        (void)looks_so_far(j, every_s, &looks);
    }
    zone_watch_look(&j->zones);
    double dear_until_s;
    asking_limits_look(j->plan, j->fleet, j->crews, j->dear, &dear_until_s);
    j->spot = zone_watch_choose(&j->zones, j->active, j->asleep, j->dear);
    if (!looks) {
        return (struct job_choice){j->decided.want, j->decided.give_up};
    }
    struct policy_decision d = ask_policy(j);
    decide_at_looks(j, &d);
    job_at(j, fmin(d.ask_again_at_s, dear_until_s), ask_again, 0, &j->ask_again_event);
    return (struct job_choice){d.want, d.give_up};
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
        job_drop_active(j);
    }
    if (incoming == target) {
        j->incoming = NULL;
    } else {
        job_dismiss_incoming(j);
    }
    if (target != NULL && !j->asleep[training_site(j->plan, target->pool)]) {
        wake_others(j, target->purchase);
        job_set_active(j, target);
        note_zone(j, target);
        crew_ask(target);
        job_spares_ask(j);
        if (incoming == target && job_is_ready(j, target)) {
            job_run(j);
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
    if (!job_stop(j)) {
        job_drop_active(j);
        job_reconsider(j);
    }
}

static bool leaves_first(const struct job *j, const struct crew *target)
{
    return j->plan->spec->handover == HANDOVER_STOP_FIRST && j->incoming == NULL &&
           target != NULL && target != j->active && crew_obtainable(target);
}

/* The gang that runs, saved or without anything to save, is given back; then the target is asked.
 */
static void exchange(struct job *j, struct crew *target)
{
    job_note(j, "moves: the gang is given back, then the other pool is asked");
    if (!job_stop(j)) {
        j->result.switches++;
        begin_anew(j, target);
        job_track_idle(j);
    }
}

static void move_stopping_first(struct job *j, struct crew *target)
{
    enum phase phase = j->progress.phase;
    if (phase == PHASE_LEAVE || phase == PHASE_RESCUE ||
        (phase == PHASE_WORK && progress_leave(&j->progress))) {
        return; /* on_saved goes on */
    }
    exchange(j, target);
}

static void follow(struct job *j, struct crew *target, bool giving_up)
{
    bool whole = j->active != NULL && crew_complete(j->active);
    if (target == NULL && whole && !giving_up) {
        /* Nothing better is to be had. */
    } else if (target != NULL && target->purchase == PURCHASE_BLOCK &&
               window_watch_closed(&j->windows) && j->active != target) {
        /* It is asked when the window is over. */
        job_at(j, j->windows.closed_until_s, ask_again, 0, &j->ask_again_event);
    } else if (j->active != NULL && j->active == target) {
        crew_ask(target);
        job_spares_ask(j);
    } else if (whole) {
        if (giving_up && j->incoming == NULL && (target == NULL || !crew_obtainable(target))) {
            give_up(j);
        } else if (leaves_first(j, target)) {
            move_stopping_first(j, target);
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

bool job_hand_over(struct job *j)
{
    if (j->plan->spec->handover != HANDOVER_STOP_FIRST || j->incoming != NULL) {
        return false;
    }
    struct job_choice d = job_decide(j);
    struct crew *target = wanted(j, d.want);
    if (!leaves_first(j, target)) {
        return false;
    }
    exchange(j, target);
    return true;
}

void job_reconsider(struct job *j)
{
    if (j->submitted && !j->over && !j->stopping && !j->down) {
        struct job_choice d = job_decide(j);
        follow(j, wanted(j, d.want), d.give_up);
        job_track_idle(j);
    }
}
