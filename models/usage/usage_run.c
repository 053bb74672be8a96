/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/usage_run.h"

#include "engine/text.h"
#include "models/fleet/fill.h"
#include "models/fleet/independent_nodes.h"

#include <stdlib.h>

struct usage_run {
    const struct usage_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct fill fill;
    struct need need;
    bool begun, over, finished, cancelled;
    double end_s;
    /* Books: the time up to booked_s is counted, with these numbers from there on. */
    double booked_s;
    uint32_t working, held;
    double needed_node_s, served_node_s, idle_s;
};

static void note_need(const struct usage_run *u)
{
    journal_add(fleet_journal(u->fleet), u->calendar->now_s, u->plan->work.workload,
                "needs %u node%s", u->fill.need, text_plural(u->fill.need));
}

/* ---- books ---- */

/* Counts the time up to now, in which nothing changed. */
static void book(struct usage_run *u)
{
    double now_s = u->calendar->now_s, past_s = now_s - u->booked_s;
    uint32_t need = u->fill.need;
    u->needed_node_s += past_s * need;
    u->served_node_s += past_s * (u->working < need ? u->working : need);
    u->idle_s += need > 0 && u->held == 0 ? past_s : 0;
    u->booked_s = now_s;
}

static void look(struct usage_run *u)
{
    u->working = fill_working(&u->fill);
    u->held = fill_held(&u->fill);
}

/* ---- the clock ---- */

static void end(struct usage_run *u, bool finished, enum end_reason reason)
{
    book(u);
    u->over = true;
    u->finished = finished;
    u->end_s = u->calendar->now_s;
    fill_release(&u->fill, reason);
    journal_add(fleet_journal(u->fleet), u->calendar->now_s, u->plan->work.workload, "%s",
                finished                  ? "nothing is needed any longer"
                : reason == END_CANCELLED ? "the project is cancelled"
                                          : "the horizon ends the usage");
}

static void need_changes(void *actor, uint64_t tag);

/* The need of the stretch that begins now, and when it changes; at the horizon it is ended. */
static void enter_stretch(struct usage_run *u)
{
    fill_need(&u->fill, u->need.nodes);
    note_need(u);
    bool last = u->need.to_s >= u->need.end_s;
    if ((!last || u->need.ends) && calendar_schedule(u->calendar, u->need.to_s, EVENT_WORK,
                                                     need_changes, u, 0, NULL) != CALENDAR_OK) {
        fleet_fail(u->fleet);
    }
    look(u);
}

static void need_changes(void *actor, uint64_t tag)
{
    struct usage_run *u = actor;
    (void)tag;
    if (u->over) {
        return;
    }
    book(u);
    if (need_next(&u->need)) {
        enter_stretch(u);
    } else {
        end(u, true, END_FINISHED);
    }
}

static void first_need(void *actor, uint64_t tag)
{
    struct usage_run *u = actor;
    (void)tag;
    if (u->over) {
        return;
    }
    u->begun = true;
    u->booked_s = u->calendar->now_s;
    enter_stretch(u);
}

/* ---- what the crews tell ---- */

static void on_change(void *owner, struct crew *c)
{
    struct usage_run *u = owner;
    (void)c;
    if (u->begun && !u->over) {
        book(u);
        fill_follow(&u->fill);
        look(u);
    }
}

static void on_losing(void *owner, struct crew *c)
{
    (void)owner;
    (void)c;
}

static const struct crew_events usage_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_change,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- life ---- */

struct usage_run *usage_run_new(const struct usage_plan *plan, struct fleet *fleet)
{
    struct crew *crews[WORK_MAX_POOLS];
    struct usage_run *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return NULL;
    }
    u->plan = plan;
    u->fleet = fleet;
    u->calendar = fleet_calendar(fleet);
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        const struct work_pool *pool = &plan->work.pools[k];
        crews[k] =
            fleet_add_crew(fleet, &usage_events, u, plan->work.workload, plan->work.workload_name,
                           pool->pool, pool->nodes, &plan->spec->boot);
        if (crews[k] == NULL) {
            free(u);
            return NULL;
        }
        independent_make(crews[k]);
    }
    fill_init(&u->fill, plan->fill.entries, plan->fill.count, crews, plan->work.pool_count);
    return u;
}

void usage_run_free(struct usage_run *u)
{
    free(u);
}

bool usage_run_begin(struct usage_run *u, const double *drawn)
{
    u->begun = u->over = u->finished = u->cancelled = false;
    u->end_s = u->booked_s = 0;
    u->working = u->held = 0;
    u->needed_node_s = u->served_node_s = u->idle_s = 0;
    fill_begin(&u->fill);
    need_begin(&u->need, &u->plan->need, drawn);
    return calendar_schedule(u->calendar, u->need.from_s, EVENT_WORK, first_need, u, 0, NULL) ==
           CALENDAR_OK;
}

bool usage_run_over(const struct usage_run *u)
{
    return u->over;
}

void usage_run_horizon(struct usage_run *u)
{
    if (!u->over) {
        end(u, false, END_HORIZON);
    }
}

void usage_run_cancel(struct usage_run *u)
{
    if (!u->over) {
        u->cancelled = true;
        end(u, false, END_CANCELLED);
    }
}

struct work_result usage_run_result(const struct usage_run *u)
{
    struct work_result r = {.by_clock = true,
                            .finished = u->finished,
                            .cancelled = u->cancelled,
                            .end_s = u->end_s,
                            .idle_s = u->idle_s,
                            .needs = true,
                            .needed_node_s = u->needed_node_s,
                            .served_node_s = u->served_node_s};
    for (size_t k = 0; k < u->fill.crew_count; k++) {
        r.launches += u->fill.crews[k]->launched;
        r.interruptions += u->fill.crews[k]->interrupted;
    }
    return r;
}
