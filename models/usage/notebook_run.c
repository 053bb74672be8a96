/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/notebook_run.h"

#include "models/fleet/fill.h"
#include "models/fleet/independent_nodes.h"
#include "models/usage/notebook_sessions.h"

#include <math.h>
#include <stdlib.h>

enum { NO_MACHINE = -1 };

struct notebook_person {
    struct notebook_run *run;
    uint32_t number;
    struct fill fill;
    struct notebook_sessions sessions; /* the one at hand, or the next one */
    bool works;                        /* in that session, now */
    struct event_id stop;              /* of a machine that was forgotten */
    /* Books: the time up to booked_s is told, with these from there on. */
    double booked_s;
    int machine;          /* which of the crews has it ready; NO_MACHINE: none */
    bool held;            /* a machine is there, or boots */
    double waits_since_s; /* NaN: nobody waits for it */
};

struct notebook_run {
    const struct notebook_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct notebook_person *people;
    uint32_t count;
    struct notebook_habits habits;
    double idle_limit_s; /* +infinity: none */
    bool over, cancelled;
    double end_s, needed_s, served_s;
    struct work_sessions told;
};

/* ---- books ---- */

/* Counts the time up to now, in which nothing changed. */
static void book(struct notebook_person *p)
{
    struct notebook_run *n = p->run;
    double now_s = n->calendar->now_s, past_s = now_s - p->booked_s;
    p->booked_s = now_s;
    if (p->works) {
        n->needed_s += past_s;
        n->served_s += p->held ? past_s : 0;
        if (p->machine != NO_MACHINE) {
            independent_did(p->fill.crews[p->machine], 0, ACTIVITY_USEFUL, past_s);
        }
    } else if (p->machine != NO_MACHINE) {
        n->told.forgotten_node_s += past_s;
    }
}

static void end_waiting(struct notebook_person *p)
{
    if (!isnan(p->waits_since_s)) {
        p->run->told.wait_s += p->run->calendar->now_s - p->waits_since_s;
        p->waits_since_s = (double)NAN;
    }
}

static void look(struct notebook_person *p)
{
    p->machine = NO_MACHINE;
    p->held = fill_held(&p->fill) > 0;
    for (size_t k = p->fill.crew_count; k > 0; k--) {
        const struct crew *c = p->fill.crews[k - 1];
        if (c->ready + c->leaving > 0) {
            p->machine = (int)k - 1;
        }
    }
    if (p->machine != NO_MACHINE) {
        end_waiting(p);
    } else if (p->works && isnan(p->waits_since_s)) {
        p->waits_since_s = p->run->calendar->now_s;
    }
}

static void need(struct notebook_person *p, uint32_t machines)
{
    fill_need(&p->fill, machines);
    look(p);
}

/* ---- a person's days ---- */

static void note(const struct notebook_person *p, const char *what)
{
    journal_add(fleet_journal(p->run->fleet), p->run->calendar->now_s, p->run->plan->work.workload,
                "person %u %s", p->number, what);
}

static void schedule(struct notebook_person *p, double at_s, enum event_class class,
                     event_handler *handler, struct event_id *id)
{
    if (calendar_schedule(p->run->calendar, at_s, class, handler, p, 0, id) != CALENDAR_OK) {
        fleet_fail(p->run->fleet);
    }
}

static void on_session_end(void *actor, uint64_t tag);

static void on_session(void *actor, uint64_t tag)
{
    struct notebook_person *p = actor;
    (void)tag;
    if (p->run->over) {
        return;
    }
    book(p);
    calendar_cancel(p->run->calendar, p->stop);
    p->stop = EVENT_NONE;
    p->works = true;
    p->run->told.sessions++;
    note(p, fill_held(&p->fill) > 0 ? "goes on with a machine that still runs" : "begins");
    need(p, 1);
    schedule(p, p->sessions.end_s, EVENT_WORK, on_session_end, NULL);
}

static void on_stop(void *actor, uint64_t tag)
{
    struct notebook_person *p = actor;
    (void)tag;
    if (p->run->over) {
        return;
    }
    book(p);
    p->stop = EVENT_NONE;
    note(p, "had left a machine on: it is stopped");
    need(p, 0);
}

/* Until when a machine runs that is left on now. */
static double found_s(const struct notebook_person *p)
{
    const struct notebook_run *n = p->run;
    double now_s = n->calendar->now_s;
    double found_s = n->plan->spec->found == FOUND_NEXT_DAY
                         ? notebook_next_day_s(&p->sessions, &n->habits, now_s)
                         : HUGE_VAL;
    return fmin(found_s, now_s + n->idle_limit_s);
}

static void on_session_end(void *actor, uint64_t tag)
{
    struct notebook_person *p = actor;
    struct notebook_run *n = p->run;
    (void)tag;
    if (n->over) {
        return;
    }
    book(p);
    p->works = false;
    end_waiting(p);
    bool forgotten = p->sessions.forgotten && fill_held(&p->fill) > 0;
    notebook_sessions_next(&p->sessions, &n->habits);
    if (p->sessions.begin_s <= n->calendar->now_s) {
        on_session(p, 0); /* without a break */
        return;
    }
    if (isfinite(p->sessions.begin_s)) {
        schedule(p, p->sessions.begin_s, EVENT_WORK, on_session, NULL);
    }
    n->told.forgotten += forgotten;
    double until_s = forgotten ? found_s(p) : n->calendar->now_s;
    if (until_s <= n->calendar->now_s) {
        note(p, "ends");
        need(p, 0);
        return;
    }
    note(p, "ends, and leaves the machine on");
    if (isfinite(until_s)) {
        schedule(p, until_s, EVENT_POLICY, on_stop, &p->stop);
    }
}

/* ---- what the crews tell ---- */

/* Machines held that are under no notice. */
static uint32_t staying(const struct notebook_person *p)
{
    uint32_t count = 0;
    for (size_t k = 0; k < p->fill.crew_count; k++) {
        count += p->fill.crews[k]->held - p->fill.crews[k]->noticed;
    }
    return count;
}

static void on_change(void *owner, struct crew *c)
{
    struct notebook_person *p = owner;
    (void)c;
    if (!p->run->over) {
        book(p);
        /* What is forgotten and taken by the cloud is not asked for again. */
        if (!p->works && p->fill.need > 0 && staying(p) == 0) {
            need(p, 0);
        }
        fill_follow(&p->fill);
        look(p);
    }
}

static void on_losing(void *owner, struct crew *c)
{
    struct notebook_person *p = owner;
    (void)c;
    if (!p->run->over) {
        book(p);
    }
}

static const struct crew_events notebook_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_change,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- life ---- */

static bool make_person(struct notebook_run *n, struct notebook_person *p, uint32_t number)
{
    const struct notebook_plan *plan = n->plan;
    struct crew *crews[WORK_MAX_POOLS];
    *p = (struct notebook_person){.run = n, .number = number};
    for (size_t k = 0; k < plan->work.pool_count; k++) {
        crews[k] = fleet_add_crew(n->fleet, &notebook_events, p, plan->work.workload,
                                  plan->work.workload_name, plan->work.pools[k].pool, 1,
                                  &plan->spec->boot);
        if (crews[k] == NULL) {
            return false;
        }
        independent_place(crews[k], number, plan->work.workload_name);
        independent_keep_books(crews[k]);
    }
    fill_init(&p->fill, plan->fill.entries, plan->fill.count, crews, plan->work.pool_count);
    notebook_sessions_init(&p->sessions, plan->work.workload_name, number);
    return true;
}

struct notebook_run *notebook_run_new(const struct notebook_plan *plan, struct fleet *fleet)
{
    struct notebook_run *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    n->plan = plan;
    n->fleet = fleet;
    n->calendar = fleet_calendar(fleet);
    n->count = (uint32_t)plan->spec->people;
    n->people = calloc((size_t)n->count + 1, sizeof *n->people);
    bool good = n->people != NULL;
    for (uint32_t i = 0; good && i < n->count; i++) {
        good = make_person(n, &n->people[i], i);
    }
    if (!good) {
        notebook_run_free(n);
        return NULL;
    }
    return n;
}

void notebook_run_free(struct notebook_run *n)
{
    if (n != NULL) {
        free(n->people);
        free(n);
    }
}

bool notebook_run_begin(struct notebook_run *n, const double *drawn)
{
    const struct notebook_plan *plan = n->plan;
    n->over = n->cancelled = false;
    n->end_s = n->needed_s = n->served_s = 0;
    n->told = (struct work_sessions){0};
    n->idle_limit_s =
        plan->stop_when_idle.given ? number_value(&plan->stop_when_idle, drawn) : HUGE_VAL;
    if (!notebook_habits_draw(&n->habits, plan->spec, plan->start_unix_s, plan->horizon_s,
                              fleet_world(n->fleet), drawn)) {
        return false;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        struct notebook_person *p = &n->people[i];
        fill_begin(&p->fill);
        p->works = p->held = false;
        p->stop = EVENT_NONE;
        p->booked_s = 0;
        p->machine = NO_MACHINE;
        p->waits_since_s = (double)NAN;
        notebook_sessions_begin(&p->sessions, &n->habits);
        if (isfinite(p->sessions.begin_s)) {
            schedule(p, p->sessions.begin_s, EVENT_WORK, on_session, NULL);
        }
    }
    return true;
}

bool notebook_run_over(const struct notebook_run *n)
{
    return n->over;
}

static void end(struct notebook_run *n, enum end_reason reason)
{
    for (uint32_t i = 0; i < n->count; i++) {
        struct notebook_person *p = &n->people[i];
        book(p);
        end_waiting(p);
    }
    n->over = true;
    n->end_s = n->calendar->now_s;
    for (uint32_t i = 0; i < n->count; i++) {
        fill_release(&n->people[i].fill, reason);
    }
}

void notebook_run_horizon(struct notebook_run *n)
{
    if (!n->over) {
        end(n, END_HORIZON);
    }
}

void notebook_run_cancel(struct notebook_run *n)
{
    if (!n->over) {
        n->cancelled = true;
        end(n, END_CANCELLED);
    }
}

struct work_result notebook_run_result(const struct notebook_run *n)
{
    struct work_result r = {.by_clock = true,
                            .cancelled = n->cancelled,
                            .end_s = n->end_s,
                            .needs = true,
                            .needed_node_s = n->needed_s,
                            .served_node_s = n->served_s,
                            .sessions = &n->told};
    for (uint32_t i = 0; i < n->count; i++) {
        for (size_t k = 0; k < n->people[i].fill.crew_count; k++) {
            r.launches += n->people[i].fill.crews[k]->launched;
            r.interruptions += n->people[i].fill.crews[k]->interrupted;
        }
    }
    return r;
}
