/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_giving.h"

#include <math.h>
#include <stdlib.h>

static void note(const struct jobs_run *r, const char *what)
{
    journal_add(fleet_journal(r->fleet), r->calendar->now_s, r->plan->work.workload, "%s", what);
}

/* ---- what the crews tell ---- */

static void on_change(void *owner, struct crew *c)
{
    struct jobs_run *r = owner;
    (void)c;
    if (r->begun && !r->over) {
        jobs_give_out(r);
    }
}

static size_t entry_of(const struct jobs_run *r, const struct crew *c)
{
    size_t e = 0;
    while (r->pools[e].crew != c) {
        e++;
    }
    return e;
}

/* A job whose work is done before its node goes works on; one that can be saved stops to be. */
static void on_noticed(void *owner, struct crew *c)
{
    struct jobs_run *r = owner;
    const size_t e = entry_of(r, c);
    const double now_s = r->calendar->now_s;
    if (!r->begun || r->over) {
        return;
    }
    const double notice_s = market_notice_s(fleet_market(r->fleet), c->pool);
    job_nodes_noticed(&r->pools[e], now_s + notice_s);
    bool saves = r->plan->spec->checkpoint_on_notice && r->saving.mode == SAVE_AT_TIMES &&
                 r->saving.write_s <= notice_s;
    for (uint32_t job = r->running.first; saves && job != NO_JOB; job = r->store.jobs[job].next) {
        struct queue_job *j = &r->store.jobs[job];
        bool works = j->start_s + j->restore_s <= now_s && isinf(j->saving_since_s);
        double gone_s = j->entry == e ? job_nodes_gone_s(&r->pools[e], j->slot) : HUGE_VAL;
        if (works && isfinite(gone_s) && j->end_s > gone_s) {
            calendar_cancel(r->calendar, j->event);
            j->saving_since_s = now_s;
        }
    }
    on_change(owner, c);
}

/* What is complete at this instant counts. */
static void on_losing(void *owner, struct crew *c)
{
    struct jobs_run *r = owner;
    const size_t e = entry_of(r, c);
    const double now_s = r->calendar->now_s;
    for (uint32_t job = r->over ? NO_JOB : r->running.first; job != NO_JOB;) {
        const struct queue_job *j = &r->store.jobs[job];
        uint32_t next = j->next;
        if (j->entry == e && job_nodes_gone_s(&r->pools[e], j->slot) <= now_s) {
            bool whole = isinf(j->saving_since_s) && j->end_s <= now_s;
            (whole ? jobs_complete : jobs_lose)(r, job);
        }
        job = next;
    }
}

static const struct crew_events jobs_events = {
    .granted = on_change,
    .ready = on_change,
    .noticed = on_noticed,
    .losing = on_losing,
    .lost = on_change,
    .capacity = on_change,
    .room = on_change,
};

/* ---- arrivals ---- */

/* Of a job that comes: where it stands in the queue. */
static double rank_of(const struct jobs_run *r, const struct queue_job *j)
{
    switch (r->plan->spec->discipline) {
    case SHORTEST_FIRST:
        return jobs_work_here_s(r, j, 0);
    case BY_PRIORITY:
        return -(double)j->is.priority;
    default:
        return 0;
    }
}

static void take_in(struct jobs_run *r)
{
    uint32_t job = job_store_add(&r->store);
    if (job == NO_JOB || r->queue.jobs == JOBS_MAX) {
        fleet_fail(r->fleet);
        return;
    }
    struct queue_job *j = &r->store.jobs[job];
    j->is = r->coming;
    j->first_start_s = (double)NAN;
    j->rank = rank_of(r, j);
    r->queue.jobs++;
    jobs_enqueue(r, job);
}

/* All that come now; the next one gets an event. */
static void jobs_come(void *actor, uint64_t tag)
{
    struct jobs_run *r = actor;
    (void)tag;
    if (r->over) {
        return;
    }
    do {
        take_in(r);
        r->all_came = !job_stream_next(&r->stream, &r->coming);
    } while (!r->all_came && r->coming.submit_s <= r->calendar->now_s && !fleet_failed(r->fleet));
    if (!r->all_came && calendar_schedule(r->calendar, r->coming.submit_s, EVENT_WORK, jobs_come, r,
                                          0, NULL) != CALENDAR_OK) {
        fleet_fail(r->fleet);
    }
    jobs_give_out(r);
}

static void begin_event(void *actor, uint64_t tag)
{
    struct jobs_run *r = actor;
    (void)tag;
    if (r->over) {
        return;
    }
    r->begun = true;
    r->begin_s = r->calendar->now_s;
    note(r, "begins");
    job_stream_begin(&r->stream, r->begin_s);
    r->all_came = !job_stream_next(&r->stream, &r->coming);
    if (!r->all_came && calendar_schedule(r->calendar, r->coming.submit_s, EVENT_WORK, jobs_come, r,
                                          0, NULL) != CALENDAR_OK) {
        fleet_fail(r->fleet);
    }
    jobs_give_out(r);
}

/* ---- life ---- */

struct jobs_run *jobs_run_new(const struct jobs_plan *plan, struct fleet *fleet)
{
    struct jobs_run *r = calloc(1, sizeof *r);
    bool ok = r != NULL;
    for (size_t e = 0; ok && e < plan->entry_count; e++) {
        const struct work_pool *pool = &plan->work.pools[e];
        struct crew *crew =
            fleet_add_crew(fleet, &jobs_events, r, plan->work.workload, plan->work.workload_name,
                           pool->pool, pool->nodes, &plan->spec->boot);
        ok = crew != NULL && job_nodes_make(&r->pools[e], &plan->entries[e], crew);
    }
    if (!ok) {
        jobs_run_free(r);
        return NULL;
    }
    r->plan = plan;
    r->fleet = fleet;
    r->calendar = fleet_calendar(fleet);
    r->store.free = NO_JOB;
    r->source_restore = random_source("jobs/%s/restore", plan->work.workload_name);
    job_stream_init(&r->stream, plan);
    return r;
}

void jobs_run_free(struct jobs_run *r)
{
    for (size_t e = 0; r != NULL && e < FILL_MAX_ENTRIES; e++) {
        job_nodes_release(&r->pools[e]);
    }
    if (r != NULL) {
        job_store_release(&r->store);
        times_list_release(&r->waits);
        times_list_release(&r->turnarounds);
    }
    free(r);
}

static void resolve(struct jobs_run *r, const double *drawn)
{
    const struct jobs_spec *s = r->plan->spec;
    const struct number *keep = &s->keep_idle;
    r->saving = (struct job_saving){.mode = s->checkpoint.mode,
                                    .write_s = number_value(&s->checkpoint.write, drawn)};
    r->overflow_s = number_value(&s->overflow_after, drawn);
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        const struct jobs_entry *entry = &r->plan->entries[e];
        bool stated = s->checkpoint.every.given && s->checkpoint.every.word != 0;
        r->every_s[e] = stated && isfinite(entry->every_s)
                            ? number_value(&s->checkpoint.every, drawn)
                            : entry->every_s;
        r->speed[e] = entry->speed == NULL ? 1 : number_value(entry->speed, drawn);
        r->keep_idle_s[e] = keep->word == 0 ? (e == 0 ? HUGE_VAL : 0) : number_value(keep, drawn);
    }
}

bool jobs_run_begin(struct jobs_run *r, const double *drawn)
{
    r->begun = r->over = r->finished = r->cancelled = r->all_came = r->giving = r->again = false;
    r->begin_s = r->end_s = r->idle_s = 0;
    r->idle_since_s = -1;
    r->losses = r->restarts = 0;
    r->checkpoints = 0;
    r->look_event = EVENT_NONE;
    r->waits.count = r->turnarounds.count = 0;
    r->queue = (struct work_queue){0};
    r->drawn = drawn;
    job_store_clear(&r->store);
    job_list_clear(&r->waiting);
    job_list_clear(&r->running);
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        job_nodes_begin(&r->pools[e]);
    }
    resolve(r, drawn);
    return job_stream_draw(&r->stream, fleet_world(r->fleet), drawn) &&
           variate_resolve(&r->plan->spec->checkpoint.restore, drawn, &r->restore) &&
           (r->plan->work.awaits ||
            calendar_schedule(r->calendar, work_submit_s(&r->plan->work, drawn), EVENT_WORK,
                              begin_event, r, 0, NULL) == CALENDAR_OK);
}

void jobs_run_start(struct jobs_run *r)
{
    begin_event(r, 0);
}

/* Jobs that are not done have waited, or been there, at least so long. */
static void cut_jobs(struct jobs_run *r)
{
    const double now_s = r->calendar->now_s;
    while (r->running.first != NO_JOB) {
        uint32_t job = r->running.first;
        const struct queue_job *j = &r->store.jobs[job];
        jobs_cut(r, job);
        jobs_tell_time(r, &r->turnarounds, now_s - j->is.submit_s);
    }
    for (uint32_t job = r->waiting.first; job != NO_JOB; job = r->store.jobs[job].next) {
        const struct queue_job *j = &r->store.jobs[job];
        jobs_log_waiting(r, job);
        jobs_tell_time(r, &r->turnarounds, now_s - j->is.submit_s);
        if (j->attempts == 0) {
            jobs_tell_time(r, &r->waits, now_s - j->is.submit_s);
        }
    }
}

void jobs_end(struct jobs_run *r, bool finished, enum end_reason reason)
{
    r->finished = finished;
    r->end_s = r->calendar->now_s;
    cut_jobs(r);
    r->over = true;
    jobs_look_at(r, HUGE_VAL);
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        crew_release(r->pools[e].crew, reason);
    }
    jobs_track_idle(r);
    r->queue.base_node_s = r->begun ? (r->end_s - r->begin_s) * r->plan->entries[0].nodes : 0;
    wait_times_tell(&r->waits, &r->turnarounds, &r->queue);
    note(r, finished                  ? "all jobs are done"
            : reason == END_CANCELLED ? "the project is cancelled"
            : reason == END_RELEASED  ? "what it follows is not done: it never begins"
                                      : "the horizon cuts what is not done");
}

void jobs_run_forgo(struct jobs_run *r)
{
    if (!r->over) {
        jobs_end(r, false, END_RELEASED);
    }
}

bool jobs_run_done(const struct jobs_run *r)
{
    return r->over;
}

void jobs_run_horizon(struct jobs_run *r)
{
    if (!r->over) {
        jobs_end(r, false, END_HORIZON);
    }
}

void jobs_run_cancel(struct jobs_run *r)
{
    if (!r->over) {
        r->cancelled = true;
        jobs_end(r, false, END_CANCELLED);
    }
}

struct work_result jobs_run_result(const struct jobs_run *r)
{
    struct work_result result = {.finished = r->finished,
                                 .cancelled = r->cancelled,
                                 .end_s = r->end_s,
                                 .checkpoints = r->checkpoints,
                                 .restarts = r->restarts,
                                 .losses = r->losses,
                                 .idle_s = r->idle_s,
                                 .queue = &r->queue};
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        result.launches += r->pools[e].crew->launched;
        result.interruptions += r->pools[e].crew->interrupted;
    }
    return result;
}
