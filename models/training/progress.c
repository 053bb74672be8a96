/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/progress.h"

#include "engine/text.h"

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
    p->end_event = EVENT_NONE;
    p->work_s = training_work_s(p->plan, drawn);
    p->kept_s = p->unsaved_s = 0;
    p->write_s = number_value(&c->write, drawn);
    p->checkpoints = 0;
    p->restarts = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        p->every_s[k] = training_every_s(p->plan, k, drawn);
        p->restores[k] = 0;
    }
    return variate_resolve(&c->restore, drawn, &p->restore) && p->work_s <= USAGE_LATEST_S;
}

/* Ends the phase under way, without its books, and begins another one of this length. */
static void enter(struct progress *p, enum phase phase, double length_s, event_handler *at_end)
{
    calendar_cancel(p->calendar, p->end_event);
    p->end_event = EVENT_NONE;
    p->phase = phase;
    p->start_s = p->calendar->now_s;
    p->end_s = p->start_s + length_s;
    if (at_end != NULL && calendar_schedule(p->calendar, p->end_s, EVENT_WORK, at_end, p, 0,
                                            &p->end_event) != CALENDAR_OK) {
        fleet_fail(p->fleet);
    }
}

static void leave_gang(struct progress *p)
{
    enter(p, PHASE_NONE, 0, NULL);
    p->crew = NULL;
}

/* ---- what is kept ---- */

static void keep(struct progress *p, double useful_s)
{
    crew_did(p->crew, ACTIVITY_USEFUL, useful_s);
    p->kept_s += useful_s;
    double left_s = p->work_s - p->kept_s;
    /* A microsecond, or a millionth of a millionth of the work, is rounding. */
    if (left_s <= 1e-6 || left_s <= 1e-12 * p->work_s) {
        p->kept_s = p->work_s;
    }
}

bool progress_complete(const struct progress *p)
{
    return p->kept_s >= p->work_s;
}

/* Where the stretch of work stands now. */
static struct checkpoint_state work_state(const struct progress *p)
{
    double now_s = p->calendar->now_s;
    /* At the end not now - start, which may be less than the length by rounding. */
    double elapsed_s = now_s >= p->end_s ? HUGE_VAL : now_s - p->start_s;
    struct checkpoint_state s = checkpoint_cycle_at(&p->cycle, elapsed_s);
    if (p->plan->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        s.kept_s += s.unkept_s;
        s.unkept_s = 0;
    }
    return s;
}

struct progress_now progress_now(const struct progress *p)
{
    struct progress_now n = {p->kept_s, p->kept_s};
    if (p->phase == PHASE_WORK) {
        struct checkpoint_state s = work_state(p);
        n.kept_s += s.kept_s;
        n.done_s = n.kept_s + s.unkept_s;
    } else if (p->phase == PHASE_LEAVE || p->phase == PHASE_RESCUE) {
        n.done_s += p->unsaved_s;
    }
    return n;
}

/* Remembers when a complete checkpoint came to be, as long as it may add to what is kept. */
static void count_checkpoint(struct progress *p, double at_s)
{
    if (p->checkpoints < (uint64_t)p->plan->spec->checkpoint.keep) {
        p->written_at_s[p->checkpoints] = at_s;
    }
    p->checkpoints++;
}

static void count_checkpoints(struct progress *p, uint64_t written)
{
    const uint64_t keep = (uint64_t)p->plan->spec->checkpoint.keep;
    double now_s = p->calendar->now_s;
    uint64_t k = 1;
    for (; k <= written && p->checkpoints < keep; k++) {
        double at_s = p->start_s + (double)k * (p->cycle.every_s + p->cycle.write_s);
        count_checkpoint(p, fmin(at_s, now_s)); /* the last one of all may follow sooner */
    }
    p->checkpoints += written - (k - 1);
}

/* Books the stretch of work up to now, but for the work that no checkpoint holds: that is the
 * caller's. */
static void book_work(struct progress *p, const struct checkpoint_state *s)
{
    keep(p, s->kept_s);
    crew_did(p->crew, ACTIVITY_CHECKPOINT, s->writing_s);
    count_checkpoints(p, s->written);
    struct journal *journal = fleet_journal(p->fleet);
    if (journal != NULL) {
        journal_add(journal, p->calendar->now_s, p->plan->work.workload,
                    "work stops: %.2f h kept (%llu checkpoint%s), %.0f s in no checkpoint",
                    s->kept_s / 3600, (unsigned long long)s->written,
                    text_plural((double)s->written), s->unkept_s);
    }
}

/* The write of RESCUE or LEAVE is complete. */
static void book_write(struct progress *p)
{
    crew_did(p->crew, ACTIVITY_CHECKPOINT, p->calendar->now_s - p->start_s);
    keep(p, p->unsaved_s);
    if (p->unsaved_s > 0) {
        count_checkpoint(p, p->calendar->now_s);
    }
    p->unsaved_s = 0;
}

void progress_stop(struct progress *p)
{
    double now_s = p->calendar->now_s;
    struct checkpoint_state s;
    switch (p->phase) {
    case PHASE_RESTORE:
        crew_did(p->crew, ACTIVITY_RESTORE, now_s - p->start_s);
        break;
    case PHASE_WORK:
        s = work_state(p);
        book_work(p, &s);
        crew_did(p->crew, ACTIVITY_LOST, s.unkept_s);
        break;
    case PHASE_RESCUE:
    case PHASE_LEAVE:
        if (now_s >= p->end_s) {
            book_write(p);
        } else {
            crew_did(p->crew, ACTIVITY_CHECKPOINT, now_s - p->start_s);
            crew_did(p->crew, ACTIVITY_LOST, p->unsaved_s);
            p->unsaved_s = 0;
        }
        break;
    case PHASE_SAVED:
    case PHASE_NONE:
        break;
    }
    leave_gang(p);
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
    struct checkpoint_state s = work_state(p);
    book_work(p, &s);
    finish(p);
}

void progress_work_on(struct progress *p)
{
    const struct checkpoint_spec *c = &p->plan->spec->checkpoint;
    p->cycle = (struct checkpoint_cycle){
        .left_s = p->work_s - p->kept_s,
        .every_s = p->every_s[p->site],
        .write_s = p->write_s,
        .final = c->mode == CHECKPOINT_PERIODIC && c->final,
    };
    enter(p, PHASE_WORK, checkpoint_cycle_length_s(&p->cycle), work_done);
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
    crew_did(p->crew, ACTIVITY_RESTORE, p->calendar->now_s - p->start_s);
    progress_work_on(p);
}

void progress_run(struct progress *p, struct crew *crew, bool after_loss)
{
    p->crew = crew;
    p->site = training_site(p->plan, crew->pool);
    if (!(p->kept_s > 0 || (after_loss && p->plan->spec->checkpoint.restore_from_scratch))) {
        progress_work_on(p);
        return;
    }
    uint32_t ordinal = p->restores[p->site]++;
    double restore_s =
        p->restore.family == DISTRIBUTION_CONSTANT
            ? p->restore.p[0]
            : distribution_quantile(
                  &p->restore,
                  random_uniform_at(fleet_world(p->fleet), p->source_restore[p->site], ordinal));
    p->restarts++;
    if (restore_s <= 0) {
        progress_work_on(p);
        return;
    }
    say(p, "restore begins");
    enter(p, PHASE_RESTORE, restore_s, restore_done);
}

/* ---- checkpoints out of turn ---- */

/* To write what no checkpoint holds yet; the rest of a write under way is enough. */
static double write_needed_s(const struct progress *p, const struct checkpoint_state *s)
{
    return s->unkept_s <= 0 ? 0 : s->write_left_s > 0 ? s->write_left_s : p->write_s;
}

static void write_done(void *actor, uint64_t tag)
{
    struct progress *p = actor;
    (void)tag;
    bool leaving = p->phase == PHASE_LEAVE;
    book_write(p);
    if (progress_complete(p)) {
        finish(p);
        return;
    }
    enter(p, PHASE_SAVED, HUGE_VAL, NULL);
    say(p, leaving ? "checkpoint before the move written" : "emergency checkpoint written");
    p->events->saved(p->owner, leaving);
}

static void begin_write(struct progress *p, const struct checkpoint_state *s, enum phase phase)
{
    book_work(p, s);
    p->unsaved_s = s->unkept_s;
    enter(p, phase, write_needed_s(p, s), write_done);
}

void progress_notice(struct progress *p)
{
    const struct training_spec *s = p->plan->spec;
    if (p->phase != PHASE_WORK || s->on_notice != ON_NOTICE_CHECKPOINT ||
        s->checkpoint.mode != CHECKPOINT_PERIODIC) {
        return;
    }
    double notice_s = market_notice_s(fleet_market(p->fleet), p->crew->pool);
    bool ends_before = p->end_s <= p->calendar->now_s + notice_s;
    if (p->write_s <= notice_s && !ends_before) {
        struct checkpoint_state state = work_state(p);
        begin_write(p, &state, PHASE_RESCUE);
    }
}

bool progress_leave(struct progress *p)
{
    if (p->plan->spec->checkpoint.mode == CHECKPOINT_NONE) {
        return false;
    }
    struct checkpoint_state s = work_state(p);
    if (p->end_s > p->calendar->now_s + write_needed_s(p, &s)) {
        begin_write(p, &s, PHASE_LEAVE);
    }
    return true;
}
