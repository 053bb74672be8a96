/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_moves.h"

#include "engine/text.h"
#include "models/fleet/independent_nodes.h"
#include "models/fleet/team_nodes.h"
#include "models/fleet/trail.h"
#include "models/training/asking_limits.h"
#include "models/training/elastic_failures.h"
#include "models/training/elastic_view.h"

#include <math.h>
#include <string.h>

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

/* Looks again then, not when it was to before; +infinity: never. */
static void look_at(struct elastic_job *j, double time_s, struct event_id *id)
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
        look_at(j, j->calendar->now_s, &j->ready_event);
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
                                       &j->look_event,   &j->ready_event,    &j->closing_event};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        look_at(j, HUGE_VAL, events[i]);
    }
    spending_stop(&j->spending);
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

/* ---- what is wanted ---- */

static uint32_t staying(const struct crew *c)
{
    return c->held - c->noticed;
}

static void add_entry(struct elastic_job *j, enum purchase purchase, uint32_t most)
{
    const struct crew *c = j->crews[purchase];
    if (c != NULL) {
        /* What is dear is kept, but not asked for. */
        uint32_t held = staying(c);
        bool dear = j->dear[purchase] && held < most;
        j->entries[j->fill.entry_count++] =
            (struct fill_entry){.pool = j->index[purchase], .most = dear ? held : most};
    }
}

/* Nothing is asked for that is not held already, or does not take part already. */
static void freeze(struct elastic_job *j, uint32_t (*of)(const struct crew *c))
{
    j->fill.entry_count = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            j->entries[j->fill.entry_count++] =
                (struct fill_entry){.pool = j->index[k], .most = of(j->crews[k])};
        }
    }
}

static void want_by_policy(struct elastic_job *j)
{
    struct policy_view view = elastic_view(j);
    struct policy_decision d = j->plan->policy->decide(j->plan->policy_params, &view);
    memcpy(j->noted, d.noted, sizeof j->noted);
    look_at(j, d.ask_again_at_s, &j->ask_again_event);
    const bool owned = d.want == PURCHASE_OWNED;
    const struct crew *od = j->crews[PURCHASE_ON_DEMAND];
    if (d.want == PURCHASE_ON_DEMAND) {
        add_entry(j, PURCHASE_ON_DEMAND, FILL_ALL_THE_REST);
        if (j->crews[PURCHASE_SPOT] != NULL) { /* what is there works on until it is replaced */
            add_entry(j, PURCHASE_SPOT, staying(j->crews[PURCHASE_SPOT]));
        }
    } else {
        add_entry(j, owned ? PURCHASE_OWNED : PURCHASE_SPOT, FILL_ALL_THE_REST);
        j->leaves_on_demand = d.give_up && od != NULL && od->held > 0;
        if (od != NULL && !j->leaves_on_demand) {
            add_entry(j, PURCHASE_ON_DEMAND, staying(od));
        }
    }
}

/* Spot ends with the horizon. */
static void want_beyond_horizon(struct elastic_job *j)
{
    add_entry(j, PURCHASE_OWNED, FILL_ALL_THE_REST);
    add_entry(j, PURCHASE_ON_DEMAND, FILL_ALL_THE_REST);
    j->leaves_spot = j->crews[PURCHASE_SPOT] != NULL && j->crews[PURCHASE_SPOT]->held > 0;
}

/* How long work stands still when the gang becomes one of so many nodes, as one may expect. */
static double resize_cost_s(const struct elastic_job *j, uint32_t nodes)
{
    const struct training_plan *plan = j->plan;
    if (plan->spec->elastic.on_loss == ELASTIC_CONTINUE) {
        return j->resize_s;
    }
    bool writes = plan->spec->checkpoint.mode == CHECKPOINT_PERIODIC;
    return j->resize_s + checkpoint_planned_restore_s(plan, nodes) +
           (writes ? checkpoint_complete_s(plan, j->nodes, NULL) : 0);
}

/* Until the end of the work on the nodes that take part. */
static double left_s(const struct elastic_job *j)
{
    const struct progress *p = &j->progress;
    return (p->work_s - progress_now(p).done_s) / p->gang.pace;
}

/* Work that must be left for a resize to so many nodes to end it sooner than none. */
static double least_left_s(const struct elastic_job *j, uint32_t nodes)
{
    double cost_s = resize_cost_s(j, nodes);
    if (nodes <= j->nodes) {
        return cost_s; /* other nodes, not more */
    }
    double share = j->progress.gang.pace / elastic_pace(j->plan, nodes, j->progress.drawn);
    return share < 1 ? cost_s / (1 - share) : HUGE_VAL;
}

static bool pays(const struct elastic_job *j, uint32_t nodes)
{
    return left_s(j) > least_left_s(j, nodes);
}

/* Near the end nobody is asked for any more who would be ready too late, and who is ready too late
 * is given back. */
static void want_no_more(struct elastic_job *j)
{
    double boot_s = variate_planned_mean(&j->plan->spec->boot);
    double spare_s = left_s(j) - least_left_s(j, j->plan->work.nodes);
    if (spare_s <= 0) {
        freeze(j, team_staying);
    } else if (spare_s <= boot_s) {
        freeze(j, staying);
    } else {
        double again_s = spare_s - boot_s;
        look_at(j, j->calendar->now_s + (again_s > 1 ? again_s : 1), &j->closing_event);
    }
}

static void want(struct elastic_job *j)
{
    double dear_until_s;
    asking_limits_look(j->plan, j->fleet, j->crews, j->dear, &dear_until_s);
    j->fill.entry_count = 0;
    j->leaves_spot = j->leaves_on_demand = false;
    if (j->beyond_horizon) {
        want_beyond_horizon(j);
    } else if (j->plan->elastic.entry_count > 0) {
        for (size_t i = 0; i < j->plan->elastic.entry_count; i++) {
            add_entry(j, j->plan->elastic.entries[i].purchase, j->plan->elastic.entries[i].most);
        }
        look_at(j, dear_until_s, &j->ask_again_event);
    } else {
        want_by_policy(j);
        if (isfinite(dear_until_s) && !calendar_pending(j->calendar, j->ask_again_event)) {
            look_at(j, dear_until_s, &j->ask_again_event);
        }
    }
    if (j->nodes > 0 && !j->leaves_spot && !j->leaves_on_demand) {
        want_no_more(j);
    }
    j->fill.need = j->asleep ? 0 : j->plan->work.nodes;
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
            g.site = g.crew_count == 0 || k == PURCHASE_SPOT ? k : g.site;
            g.crews[g.crew_count++] = j->crews[k];
        }
    }
    return g;
}

void elastic_reshape(struct elastic_job *j, bool resizing)
{
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
    if (j->joiner_since_s < 0) {
        j->joiner_since_s = now_s;
    }
    if (sum(j, team_booting) == 0 || now_s >= j->joiner_since_s + j->settle_s) {
        return true;
    }
    if (!calendar_pending(j->calendar, j->settle_event)) {
        look_at(j, j->joiner_since_s + j->settle_s, &j->settle_event);
    }
    return false;
}

/* Ready nodes that are wanted take the place of others, or come on top of them. */
static void grow(struct elastic_job *j)
{
    struct progress *p = &j->progress;
    if (p->phase == PHASE_RESIZE || p->phase == PHASE_RESTORE) {
        look_at(j, p->end_s, &j->look_event);
    } else if (p->phase == PHASE_SAVED) {
        progress_stop(p);
        elastic_reshape(j, true);
    } else if (p->phase == PHASE_WORK && settled(j) && pays(j, elastic_target(j))) {
        if (j->plan->spec->elastic.on_loss == ELASTIC_CONTINUE) {
            progress_pause(p);
            elastic_reshape(j, true);
        } else {
            progress_leave(p); /* elastic_job.c goes on when it is written */
        }
    }
}

/* What runs on what is to be left: it is saved first. True when nothing more can be done now. */
static bool leave(struct elastic_job *j)
{
    struct progress *p = &j->progress;
    if (!j->leaves_spot && !j->leaves_on_demand) {
        return false;
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
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        crew_release(j->fill.crews[k], END_RELEASED);
    }
    elastic_consider(j);
}

/* It runs while something is held, but less than what could run. */
static void watch_patience(struct elastic_job *j)
{
    uint32_t held = sum(j, staying);
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
    want(j);
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
