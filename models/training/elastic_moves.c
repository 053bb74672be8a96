/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_moves.h"

#include "engine/text.h"
#include "models/fleet/independent_nodes.h"
#include "models/fleet/team_nodes.h"
#include "models/fleet/trail.h"
#include "models/training/elastic_failures.h"
#include "models/training/elastic_wants.h"
#include "models/training/elastic_zones.h"

#include <math.h>

enum { MOST_PASSES = 8 };

void elastic_note(const struct elastic_job *j, const char *text)
{
    journal_add(fleet_journal(j->fleet), j->calendar->now_s, j->plan->work.workload, "%s", text);
}

/* ---- events of its own ---- */

static void look(void *actor, uint64_t tag)
{
    (void)tag;
    elastic_consider(actor);
}

void elastic_look_at(struct elastic_job *j, double time_s, struct event_id *id)
{
    if (calendar_pending(j->calendar, *id)) {
        calendar_cancel(j->calendar, *id);
    }
    *id = EVENT_NONE;
    if (isfinite(time_s) &&
        calendar_schedule(j->calendar, time_s, EVENT_POLICY, look, j, 0, id) != CALENDAR_OK) {
        fleet_fail(j->fleet);
    }
}

void elastic_soon(struct elastic_job *j)
{
    if (!calendar_pending(j->calendar, j->ready_event)) {
        elastic_look_at(j, j->calendar->now_s, &j->ready_event);
    }
}

/* ---- books ---- */

/* While nothing runs; what runs is told by its progress. */
static void leave_trail(const struct elastic_job *j)
{
    struct trail *trail = fleet_trail(j->fleet);
    if (trail == NULL || (j->progress.phase != PHASE_NONE && !j->over)) {
        return;
    }
    const struct crew *most = NULL;
    uint32_t held = 0, sound = 0;
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        const struct crew *c = j->fill.crews[k];
        most = most == NULL || c->held > most->held ? c : most;
        held += c->held;
        sound += team_sound(c);
    }
    bool none = !j->submitted || j->over;
    trail_enter(trail, j->calendar->now_s, j->plan->work.workload,
                none                              ? TRAIL_NONE
                : held == 0                       ? TRAIL_IDLE
                : j->down                         ? TRAIL_DOWN
                : sound >= j->plan->elastic.least ? TRAIL_BOOT
                                                  : TRAIL_GATHER,
                none || held == 0 ? -1 : most->pool, none ? 0 : held);
}

void elastic_track_idle(struct elastic_job *j)
{
    leave_trail(j);
    spending_look(&j->spending);
    bool idle = j->submitted && !j->over && fill_held(&j->fill) == 0;
    double now_s = j->calendar->now_s;
    if (idle && j->idle_since_s < 0) {
        j->idle_since_s = now_s;
    } else if (!idle && j->idle_since_s >= 0) {
        j->result.idle_s += now_s - j->idle_since_s;
        j->idle_since_s = -1;
    }
}

void elastic_end(struct elastic_job *j, bool finished, enum end_reason reason)
{
    elastic_down_over(j);
    j->over = true;
    fill_release(&j->fill, reason);
    struct event_id *const events[] = {&j->settle_event, &j->patience_event, &j->ask_again_event,
                                       &j->look_event,   &j->ready_event,    &j->closing_event,
                                       &j->window_event};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        elastic_look_at(j, HUGE_VAL, events[i]);
    }
    spending_stop(&j->spending);
    window_watch_stop(&j->windows);
    elastic_track_idle(j);
    j->nodes = 0;
    j->result.finished = finished;
    j->result.end_s = j->calendar->now_s;
    trail_mark(fleet_trail(j->fleet), j->result.end_s, j->plan->work.workload,
               finished ? TRAIL_DONE : TRAIL_CUT, -1);
    elastic_note(j, finished                  ? "the work is done"
                    : reason == END_CANCELLED ? "the project is cancelled"
                    : reason == END_BUDGET    ? "the work stops at its budget"
                                              : "the horizon cuts the work");
}

/* ---- sums over crews ---- */

static uint32_t sum(const struct elastic_job *j, uint32_t (*of)(const struct crew *c))
{
    uint32_t n = 0;
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        n += of(j->fill.crews[k]);
    }
    return n;
}

static uint32_t coming(const struct crew *c)
{
    return c->waiting;
}

static uint32_t held_on(const struct crew *c)
{
    return c->held - c->noticed;
}

uint32_t elastic_target(const struct elastic_job *j)
{
    uint32_t share[FILL_MAX_ENTRIES], n = 0;
    fill_keeps(&j->fill, share);
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        const struct crew *c = j->fill.crews[k];
        n += c->ready < share[k] ? c->ready : share[k];
    }
    return n;
}

/* ---- who takes part ---- */

void elastic_idle(struct elastic_job *j)
{
    if (j->nodes > 0) {
        j->wanted_since_s = j->calendar->now_s;
    }
    j->nodes = 0;
    j->joiner_since_s = -1;
}

static struct gang gang_of(const struct elastic_job *j)
{
    struct gang g = {.nodes = j->nodes, .pace = elastic_pace(j->plan, j->nodes, j->progress.drawn)};
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL && team_staying(j->crews[k]) > 0) {
            g.site = g.crew_count == 0 || site_purchase(k) == PURCHASE_SPOT ? k : g.site;
            g.crews[g.crew_count++] = j->crews[k];
        }
    }
    return g;
}

void elastic_reshape(struct elastic_job *j, bool resizing)
{
    j->crossed_s = elastic_crossed_s(j);
    fill_trim(&j->fill);
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        team_join(j->fill.crews[k]);
    }
    j->nodes = sum(j, team_staying);
    j->joiner_since_s = -1;
    struct journal *journal = fleet_journal(j->fleet);
    if (journal != NULL) {
        journal_add(journal, j->calendar->now_s, j->plan->work.workload,
                    "%u of %u node%s take part", j->nodes, j->plan->work.nodes,
                    text_plural(j->plan->work.nodes));
    }
    j->again = true; /* what is wanted follows from what runs */
    struct gang gang = gang_of(j);
    j->crossed_from_s = elastic_worked_s(gang.crews[0]);
    elastic_zones_note(j);
    progress_reshape(&j->progress, &gang, resizing ? j->resize_s : 0, j->result.losses > 0);
    elastic_track_idle(j);
}

bool elastic_continues(const struct elastic_job *j, uint32_t but)
{
    return j->plan->spec->elastic.on_loss == ELASTIC_CONTINUE && sum(j, team_staying) > but &&
           elastic_target(j) >= j->plan->elastic.least;
}

void elastic_go_on(struct elastic_job *j)
{
    if (progress_complete(&j->progress)) {
        elastic_end(j, true, END_FINISHED);
    } else if (j->stopping) {
        elastic_end(j, false, END_BUDGET);
    } else if (elastic_target(j) >= j->plan->elastic.least) {
        elastic_reshape(j, true);
    } else {
        progress_forget(&j->progress);
        elastic_idle(j);
        elastic_track_idle(j);
    }
}

/* Those that are ready need wait no longer for those that boot. */
static bool settled(struct elastic_job *j)
{
    double now_s = j->calendar->now_s;
    if (j->nodes == 0 && j->plan->elastic.whole) {
        return true; /* it is all of them */
    }
    if (j->joiner_since_s < 0) {
        j->joiner_since_s = now_s;
    }
    if (sum(j, team_booting) == 0 || now_s >= j->joiner_since_s + j->settle_s) {
        return true;
    }
    if (!calendar_pending(j->calendar, j->settle_event)) {
        elastic_look_at(j, j->joiner_since_s + j->settle_s, &j->settle_event);
    }
    return false;
}

/* Ready nodes that are wanted take the place of others, or come on top of them. */
static void grow(struct elastic_job *j)
{
    struct progress *p = &j->progress;
    if (p->phase == PHASE_RESIZE || p->phase == PHASE_RESTORE) {
        elastic_look_at(j, p->end_s, &j->look_event);
    } else if (p->phase == PHASE_SAVED) {
        progress_stop(p);
        elastic_reshape(j, true);
    } else if (p->phase == PHASE_WORK && settled(j) && elastic_pays(j, elastic_target(j))) {
        if (j->plan->spec->elastic.on_loss == ELASTIC_CONTINUE) {
            progress_pause(p);
            elastic_reshape(j, true);
        } else {
            progress_leave(p); /* elastic_job.c goes on when it is written */
        }
    }
}

/* The window of a block closes: those of the others that hold the state go on with it. */
static bool carries_on(struct elastic_job *j)
{
    const enum phase phase = j->progress.phase;
    if (j->plan->spec->elastic.on_loss != ELASTIC_CONTINUE || j->leaves_spot ||
        j->leaves_on_demand || j->nodes == 0 || phase == PHASE_LEAVE || phase == PHASE_RESCUE ||
        elastic_target(j) < j->plan->elastic.least) {
        return false;
    }
    progress_pause(&j->progress);
    elastic_reshape(j, true);
    return true;
}

/* What runs on what is to be left: it is saved first. True when nothing more can be done now. */
static bool leave(struct elastic_job *j)
{
    struct progress *p = &j->progress;
    if (!j->leaves_spot && !j->leaves_on_demand && !j->leaves_block) {
        return false;
    }
    if (j->leaves_block && carries_on(j)) {
        return true;
    }
    if (p->phase == PHASE_LEAVE || p->phase == PHASE_RESCUE ||
        (p->phase == PHASE_WORK && progress_leave(p))) {
        return true; /* elastic_job.c goes on */
    }
    progress_stop(p);
    if (progress_complete(p)) {
        elastic_end(j, true, END_FINISHED);
        return true;
    }
    j->result.switches += j->nodes > 0;
    elastic_idle(j);
    fill_trim(&j->fill);
    return false;
}

static void shape(struct elastic_job *j)
{
    if (leave(j) || j->progress.phase == PHASE_RESCUE || j->progress.phase == PHASE_LEAVE) {
        return;
    }
    uint32_t target = elastic_target(j);
    if (j->nodes > 0) {
        if (sum(j, team_joiners) > 0 && target >= j->plan->elastic.least) {
            grow(j);
        }
    } else if (target >= j->plan->elastic.least && settled(j)) {
        elastic_reshape(j, false);
    }
}

/* Nodes that nobody waits for any more go, as long as they do not take part. */
static void trim_apart(struct elastic_job *j)
{
    uint32_t share[FILL_MAX_ENTRIES];
    fill_keeps(&j->fill, share);
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        team_keep_apart(j->fill.crews[k], share[k]);
    }
}

void elastic_give_back(struct elastic_job *j)
{
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        crew_release(j->fill.crews[k], END_RELEASED);
    }
}

/* ---- patience ---- */

static void patience_over(void *actor, uint64_t tag)
{
    struct elastic_job *j = actor;
    (void)tag;
    if (sum(j, coming) > 0) {
        /* Nodes that come after a wait are sure to come: what is held is kept for them. */
        double again_s = j->patience_s > 60 ? j->patience_s : 60;
        if (calendar_schedule(j->calendar, j->calendar->now_s + again_s, EVENT_POLICY,
                              patience_over, j, 0, &j->patience_event) != CALENDAR_OK) {
            fleet_fail(j->fleet);
        }
        return;
    }
    elastic_note(j, "patience is over: the nodes held are given back");
    j->asleep = true;
    elastic_give_back(j);
    elastic_consider(j);
}

/* It runs while something is held, but less than what could run. */
static void watch_patience(struct elastic_job *j)
{
    uint32_t held = sum(j, held_on);
    bool waits = j->nodes == 0 && held > 0 && held < j->plan->elastic.least;
    if (!waits) {
        if (calendar_pending(j->calendar, j->patience_event)) {
            calendar_cancel(j->calendar, j->patience_event);
        }
        j->patience_event = EVENT_NONE;
    } else if (!calendar_pending(j->calendar, j->patience_event) &&
               calendar_schedule(j->calendar, j->calendar->now_s + j->patience_s, EVENT_POLICY,
                                 patience_over, j, 0, &j->patience_event) != CALENDAR_OK) {
        fleet_fail(j->fleet);
    }
}

/* ---- all of it ---- */

static void consider_once(struct elastic_job *j)
{
    elastic_want(j);
    fill_follow(&j->fill);
    trim_apart(j);
    shape(j);
    if (!j->over) {
        watch_patience(j);
        elastic_track_idle(j);
    }
}

void elastic_consider(struct elastic_job *j)
{
    if (!j->submitted || j->over || j->stopping || j->shrinks || j->down) {
        return;
    }
    if (j->considering) {
        j->again = true;
        return;
    }
    j->considering = true;
    /* What one pass changes is seen by the next; a policy that turns round with each of them must
     * wait for something to happen. */
    j->again = true;
    for (int pass = 0; pass < MOST_PASSES && j->again && !j->over && !j->stopping; pass++) {
        j->again = false;
        consider_once(j);
    }
    j->considering = false;
}
