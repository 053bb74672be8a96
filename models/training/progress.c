/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/progress.h"

#include "models/training/checkpoint_plan.h"
#include "models/training/progress_books.h"

#include <math.h>

static void say(const struct progress *p, const char *text)
{
    journal_add(fleet_journal(p->fleet), p->calendar->now_s, p->plan->work.workload, "%s", text);
}

void progress_init(struct progress *p, const struct training_plan *plan, struct fleet *fleet,
                   const struct progress_events *events, void *owner)
{
    *p = (struct progress){.plan = plan,
                           .fleet = fleet,
                           .calendar = fleet_calendar(fleet),
                           .events = events,
                           .owner = owner};
    const struct market_plan *market = market_plan_of(fleet_market(fleet));
    for (int k = 0; k < SITE_COUNT; k++) {
        if (plan->pools[k] >= 0) {
            p->source_restore[k] = random_source("launch/%s/%s/0/restore", plan->work.workload_name,
                                                 market_pool_info(market, plan->pools[k])->name);
        }
    }
}

bool progress_begin(struct progress *p, const double *drawn)
{
    const struct checkpoint_spec *c = &p->plan->spec->checkpoint;
    p->phase = PHASE_NONE;
    p->crew = NULL;
    p->gang = (struct gang){.nodes = p->plan->work.nodes, .pace = 1};
    p->drawn = drawn;
    p->restores_next = false;
    p->end_event = EVENT_NONE;
    const struct work_time work = training_work_time(p->plan, drawn);
    p->work_s = work.all_s;
    p->starting_s = training_start_s(p->plan, p->plan->work.nodes, drawn);
    p->kept_s = p->carried_s = p->told_s = p->unsaved_s = p->untold_s = 0;
    p->checkpoints = 0;
    p->restarts = p->resizes = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        /* Evaluations stand between the work. */
        p->every_s[k] = training_every_s(p->plan, k, drawn) / (1 - work.evaluation_share);
        p->restores[k] = 0;
        p->seen[k] = (struct loss_record){0};
    }
    return variate_resolve(&c->restore, drawn, &p->restore) && p->work_s <= USAGE_LATEST_S;
}

/* To the nodes of the plan: the losses of a gang grow with it. */
static double relative_size(const struct progress *p)
{
    return (double)p->gang.nodes / (double)p->plan->work.nodes;
}

/* Counts the time run up to now. */
static void see(struct progress *p)
{
    if (p->phase != PHASE_NONE && p->plan->adaptive) {
        double rate = p->plan->loss_per_s[p->gang.site] * relative_size(p);
        p->seen[p->gang.site].expected += rate * (p->calendar->now_s - p->seen_until_s);
    }
    p->seen_until_s = p->calendar->now_s;
}

/* Without a gang the job itself knows what it waits for: job_trail. */
static void leave_trail(const struct progress *p)
{
    static const enum trail_state states[] = {
        [PHASE_RESIZE] = TRAIL_RESIZE,    [PHASE_RESTORE] = TRAIL_RESTORE,
        [PHASE_WORK] = TRAIL_WORK,        [PHASE_RESCUE] = TRAIL_CHECKPOINT,
        [PHASE_LEAVE] = TRAIL_CHECKPOINT, [PHASE_SAVED] = TRAIL_SAVED,
    };
    struct trail *trail = fleet_trail(p->fleet);
    if (trail != NULL && p->phase != PHASE_NONE) {
        trail_enter(trail, p->calendar->now_s, p->plan->work.workload, states[p->phase],
                    p->crew->pool, p->gang.nodes);
    }
}

/* Ends the phase under way, without its books, and begins another one of this length. */
static void enter(struct progress *p, enum phase phase, double length_s, event_handler *at_end)
{
    calendar_cancel(p->calendar, p->end_event);
    p->end_event = EVENT_NONE;
    see(p);
    p->phase = phase;
    p->start_s = p->calendar->now_s;
    p->end_s = p->start_s + length_s;
    if (at_end != NULL && calendar_schedule(p->calendar, p->end_s, EVENT_WORK, at_end, p, 0,
                                            &p->end_event) != CALENDAR_OK) {
        fleet_fail(p->fleet);
    }
    leave_trail(p);
}

static void leave_gang(struct progress *p)
{
    enter(p, PHASE_NONE, 0, NULL);
    p->crew = NULL;
}

/* ---- what is kept ---- */

bool progress_complete(const struct progress *p)
{
    return p->kept_s >= p->work_s;
}

struct progress_now progress_now(const struct progress *p)
{
    struct progress_now n = {p->kept_s, p->kept_s + p->carried_s};
    if (p->phase == PHASE_WORK) {
        struct checkpoint_state s = progress_work_state(p);
        n.kept_s += s.kept_s * p->gang.pace;
        n.done_s = n.kept_s + s.unkept_s * p->gang.pace;
    } else if (p->phase == PHASE_LEAVE || p->phase == PHASE_RESCUE) {
        n.done_s = p->kept_s + p->unsaved_s;
    }
    return n;
}

void progress_stop(struct progress *p)
{
    const double untold_s = progress_book_phase(p);
    progress_tell(p, ACTIVITY_LOST, untold_s);
    progress_settle_carried(p, false);
    leave_gang(p);
}

void progress_lose(struct progress *p)
{
    p->seen[p->gang.site].losses += p->phase != PHASE_SAVED && p->phase != PHASE_NONE;
    progress_stop(p);
}

void progress_pause(struct progress *p)
{
    const double untold_s = progress_book_phase(p);
    progress_tell(p, ACTIVITY_USEFUL, untold_s);
    p->told_s += untold_s;
    leave_gang(p);
}

void progress_forget(struct progress *p)
{
    progress_settle_carried(p, false);
}

/* ---- work ---- */

static void finish(struct progress *p)
{
    leave_gang(p);
    p->events->finished(p->owner);
}

static void work_done(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    p->end_event = EVENT_NONE;
    struct checkpoint_state s = progress_work_state(p);
    progress_book_work(p, &s);
    finish(p);
}

/* Time to choose the interval anew: work goes on meanwhile. */
static void look_again(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    const double untold_s = progress_book_phase(p);
    progress_tell(p, ACTIVITY_USEFUL, untold_s);
    p->told_s += untold_s;
    progress_work_on(p);
}

/* Useful seconds between two checkpoints of this gang, in seconds of its work. */
static double interval_s(const struct progress *p)
{
    const struct training_plan *plan = p->plan;
    const struct checkpoint_spec *c = &plan->spec->checkpoint;
    const int site = p->gang.site;
    bool planned = !c->every.given || c->every.word >= 0;
    bool other = p->gang.nodes != plan->work.nodes;
    if (!plan->adaptive && !(planned && other)) {
        return fmax(p->every_s[site], p->behind_s);
    }
    double rate = plan->loss_per_s[site] * relative_size(p);
    if (plan->adaptive) {
        rate = adaptive_loss_rate(&p->seen[site], rate);
    }
    /* How long a checkpoint takes in this world is known once one was written. */
    double pause_s =
        p->checkpoints > 0 ? p->pause_s : checkpoint_pause_s(plan, p->gang.nodes, NULL);
    return checkpoint_best_interval_s(c, rate, pause_s, p->behind_s);
}

/* When an adaptive interval is looked at again, in this stretch; +infinity: never. */
static double look_after_s(const struct progress *p)
{
    if (!p->plan->adaptive || isinf(p->cycle.every_s)) {
        return HUGE_VAL;
    }
    double rate = p->plan->loss_per_s[p->gang.site] * relative_size(p);
    return checkpoint_cycle_written_s(
        &p->cycle,
        adaptive_look_after(&p->seen[p->gang.site], rate, p->cycle.every_s + p->cycle.write_s));
}

void progress_work_on(struct progress *p)
{
    const struct checkpoint_spec *c = &p->plan->spec->checkpoint;
    bool periodic = c->mode == CHECKPOINT_PERIODIC;
    see(p);
    p->cycle = (struct checkpoint_cycle){
        .left_s = (p->work_s - p->kept_s) / p->gang.pace,
        .every_s = interval_s(p),
        .write_s = p->pause_s,
        .behind_s = periodic ? p->behind_s : 0,
        .carried_s = p->carried_s / p->gang.pace,
        .final = periodic && c->final,
    };
    double length_s = checkpoint_cycle_length_s(&p->cycle), look_s = look_after_s(p);
    p->looks = look_s < length_s;
    p->look_s = look_s;
    enter(p, PHASE_WORK, p->looks ? look_s : length_s, p->looks ? look_again : work_done);
    struct journal *journal = fleet_journal(p->fleet);
    if (journal != NULL) {
        journal_add(journal, p->calendar->now_s, p->plan->work.workload,
                    "work begins on %s, %.2f of %.2f h kept so far",
                    purchase_names[p->crew->purchase], p->kept_s / 3600, p->work_s / 3600);
    }
}

static void restore_done(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    p->end_event = EVENT_NONE;
    progress_tell(p, ACTIVITY_RESTORE, p->calendar->now_s - p->start_s);
    progress_work_on(p);
}

static double restore_s(struct progress *p)
{
    uint32_t ordinal = p->restores[p->gang.site]++;
    if (p->plan->cost.derives_restore) {
        return checkpoint_read_s(p->plan, p->gang.nodes, p->drawn);
    }
    return p->restore.family == DISTRIBUTION_CONSTANT
               ? p->restore.p[0]
               : distribution_quantile(&p->restore,
                                       random_uniform_at(fleet_world(p->fleet),
                                                         p->source_restore[p->gang.site], ordinal));
}

static void begin(struct progress *p, bool restores, double starting_s)
{
    double length_s = starting_s + (restores ? restore_s(p) : 0);
    p->restarts += restores;
    if (length_s <= 0) {
        progress_work_on(p);
        return;
    }
    say(p, restores ? "restore begins" : "the gang starts");
    enter(p, PHASE_RESTORE, length_s, restore_done);
}

/* It runs from now on. */
static void take_gang(struct progress *p, const struct gang *gang)
{
    bool none = p->plan->spec->checkpoint.mode == CHECKPOINT_NONE;
    p->gang = *gang;
    p->crew = gang->crews[0];
    p->pause_s = none ? 0 : checkpoint_pause_s(p->plan, gang->nodes, p->drawn);
    p->behind_s = !none && p->plan->spec->checkpoint.asynchronous
                      ? checkpoint_write_s(p->plan, gang->nodes, p->drawn)
                      : 0;
}

/* There is something to read, or a restore from scratch is paid. */
static bool must_restore(const struct progress *p, bool after_loss)
{
    return !(p->carried_s > 0) &&
           (p->kept_s > 0 || (after_loss && p->plan->spec->checkpoint.restore_from_scratch));
}

void progress_run(struct progress *p, struct crew *crew, bool after_loss)
{
    take_gang(p, &(struct gang){.crews = {crew},
                                .crew_count = 1,
                                .nodes = p->plan->work.nodes,
                                .pace = 1,
                                .site = training_site(p->plan, crew->pool)});
    begin(p, must_restore(p, after_loss), p->starting_s);
}

static void after_resize(struct progress *p)
{
    begin(p, p->restores_next, 0);
}

static void resize_done(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    progress_tell(p, ACTIVITY_RESTORE, p->calendar->now_s - p->start_s);
    after_resize(p);
}

void progress_reshape(struct progress *p, const struct gang *gang, double resize_s, bool after_loss)
{
    take_gang(p, gang);
    p->restores_next = must_restore(p, after_loss);
    if (resize_s <= 0) {
        begin(p, p->restores_next, training_start_s(p->plan, gang->nodes, p->drawn));
        return;
    }
    p->resizes++;
    enter(p, PHASE_RESIZE, resize_s, resize_done);
}

/* ---- checkpoints out of turn ---- */

/* To write what no checkpoint holds yet; the rest of a write under way is enough. */
static double write_needed_s(const struct progress *p, const struct checkpoint_state *s)
{
    return s->unkept_s <= 0 ? 0 : s->write_left_s > 0 ? s->write_left_s : p->pause_s + p->behind_s;
}

static void write_done(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    bool leaving = p->phase == PHASE_LEAVE;
    progress_book_write(p);
    if (progress_complete(p)) {
        finish(p);
        return;
    }
    enter(p, PHASE_SAVED, HUGE_VAL, NULL);
    say(p, leaving ? "checkpoint out of turn written" : "emergency checkpoint written");
    p->events->saved(p->owner, leaving);
}

static void begin_write(struct progress *p, const struct checkpoint_state *s, enum phase phase)
{
    p->untold_s = progress_book_work(p, s);
    p->unsaved_s = s->unkept_s * p->gang.pace;
    enter(p, phase, write_needed_s(p, s), write_done);
}

void progress_notice(struct progress *p, const struct crew *crew)
{
    const struct training_spec *s = p->plan->spec;
    if (p->phase != PHASE_WORK || s->on_notice != ON_NOTICE_CHECKPOINT ||
        s->checkpoint.mode != CHECKPOINT_PERIODIC) {
        return;
    }
    double notice_s = market_notice_s(fleet_market(p->fleet), crew->pool);
    bool ends_before = !p->looks && p->end_s <= p->calendar->now_s + notice_s;
    if (p->pause_s + p->behind_s <= notice_s && !ends_before) {
        struct checkpoint_state state = progress_work_state(p);
        begin_write(p, &state, PHASE_RESCUE);
    }
}

bool progress_leave(struct progress *p)
{
    if (p->plan->spec->checkpoint.mode == CHECKPOINT_NONE) {
        return false;
    }
    struct checkpoint_state s = progress_work_state(p);
    if (p->looks || p->end_s > p->calendar->now_s + write_needed_s(p, &s)) {
        begin_write(p, &s, PHASE_LEAVE);
    }
    return true;
}
