/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/job_news.h"

#include "models/training/job_failures.h"
#include "models/training/job_moves.h"

static void on_finished(void *owner)
{
    job_end(owner, true, END_FINISHED);
}

/* ---- the end of a budget ---- */

static void stop_for_good(struct job *j)
{
    if (!job_stop(j)) {
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

/* ---- the end of a capacity block's window ----
 *
 * It is known: the job saves its work before, gives the nodes back, and does not ask for the block
 * again until the window is over. */

/* The active gang goes, since its window is about to close. */
static void leave_window(struct job *j)
{
    if (!job_stop(j)) {
        job_drop_active(j);
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
    } else if (job_is_ready(j, j->incoming)) {
        job_move_to_incoming(j);
    } else if (j->active->purchase == PURCHASE_BLOCK && window_watch_closed(&j->windows)) {
        leave_window(j);
    } else if (j->beyond_horizon && j->active->purchase == PURCHASE_SPOT) {
        job_move_at_horizon(j);
    } else if (leaving && j->incoming == NULL && job_decide(j).give_up) {
        if (!job_stop(j)) {
            job_drop_active(j);
            job_reconsider(j);
        }
    } else if (leaving && job_hand_over(j)) {
        /* Another gang has been asked, or the work is done. */
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
        if (j->whole) {
            j->whole_since_s = j->calendar->now_s;
            job_ask_of_gang(j);
        }
        job_watch_patience(j);
        job_spares_ask(j);
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
        job_run(j);
    } else if (c == j->incoming) {
        if (phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_SAVED ||
            (phase == PHASE_WORK && !progress_leave(&j->progress))) {
            job_move_to_incoming(j);
        }
        /* else a write is under way; on_saved sees that the new nodes are ready */
    }
}

static void on_noticed(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->progress.crew) {
        progress_notice(&j->progress, c);
    }
}

/* The work is saved at once; then it goes on, unless the notice has come meanwhile. */
static void on_advised(void *owner, struct crew *c)
{
    struct job *j = owner;
    const struct training_spec *s = j->plan->spec;
    if (s->on_rebalance == ON_NOTICE_CHECKPOINT && s->checkpoint.mode == CHECKPOINT_PERIODIC &&
        c == j->progress.crew && j->progress.phase == PHASE_WORK && c->noticed == 0) {
        progress_leave(&j->progress); /* on_saved works on */
    }
}

static void on_losing(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->progress.crew) {
        progress_lose(&j->progress);
    } else if (c == j->active) {
        job_down_look(j);
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
static void reconsider_settled(struct job *j)
{
    if (j->plan->zones < 2) {
        job_reconsider(j);
    } else if (j->submitted && !j->over && !calendar_pending(j->calendar, j->look_event)) {
        job_at(j, j->calendar->now_s, look_at_zones, 0, &j->look_event);
    }
}

static void on_active_lost(struct job *j)
{
    bool was_whole = j->whole,
         at_once = market_notice_s(fleet_market(j->fleet), j->active->pool) <= 0;
    if (progress_complete(&j->progress)) {
        job_end(j, true, END_FINISHED);
        return;
    }
    if (j->stopping) {
        job_end(j, false, END_BUDGET);
        return;
    }
    if (j->active->failed == 0) {
        job_down_over(j); /* what had failed is gone: nobody has to act */
    }
    j->whole = false;
    if (was_whole) {
        trail_mark(fleet_trail(j->fleet), j->calendar->now_s, j->plan->work.workload, TRAIL_LOSS,
                   j->active->pool);
        j->result.losses++;
        j->spot_wanted_since_s = j->calendar->now_s;
    }
    if (job_is_ready(j, j->incoming)) {
        job_move_to_incoming(j);
        return;
    }
    /* A gang that was still gathering only lost some nodes: it asks for those again. */
    if (was_whole && j->plan->spec->restart == RESTART_GANG) {
        job_drop_active(j);
    } else {
        job_spares_stand_in(j, j->active);
        job_expect_patience(j);
        job_track_idle(j);
    }
    if (at_once) {
        reconsider_settled(j); /* this may be the first of several zones to change now */
    } else {
        job_reconsider(j);
    }
    if (j->patience_placed) {
        job_watch_patience(j);
    }
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

static void on_capacity(void *owner, struct crew *c)
{
    struct job *j = owner;
    j->asleep[training_site(j->plan, c->pool)] = false;
    reconsider_settled(j);
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
    .advised = on_advised,
    .failed = job_node_failed,
};
