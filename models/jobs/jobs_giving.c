/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_giving.h"

#include "models/fleet/independent_nodes.h"
#include "models/jobs/jobs_preemption.h"
#include "models/jobs/jobs_reservation.h"

#include <math.h>

/* A wait below this is rounding of the clock. */
#define AT_ONCE_S 1e-6

static void note_job(const struct jobs_run *r, const struct queue_job *j, const char *what)
{
    journal_add(fleet_journal(r->fleet), r->calendar->now_s, r->plan->work.workload,
                "job %u%s%.40s %s", j->is.ordinal, j->is.name[0] == '\0' ? "" : " ", j->is.name,
                what);
}

/* ---- attempts ---- */

static void log_attempt(const struct jobs_run *r, const struct queue_job *j,
                        enum attempt_outcome outcome, const struct attempt_books *b)
{
    struct attempt_log *log = fleet_attempts(r->fleet);
    if (log == NULL) {
        return;
    }
    const bool ran = b != NULL;
    const struct attempt a = {.workload = r->plan->work.workload,
                              .job = j->is.ordinal,
                              .name = j->is.name,
                              .attempt = ran ? j->attempts - 1 : j->attempts,
                              .submitted_s = j->is.submit_s,
                              .queued_s = j->queued_s,
                              .start_s = ran ? j->start_s : (double)NAN,
                              .end_s = r->calendar->now_s,
                              .nodes = ran ? j->width.nodes : 0,
                              .gpus = ran && j->share < 1 ? j->width.gpus : 0,
                              .share = ran ? j->share : 0,
                              .pool = ran ? r->plan->work.pools[j->entry].pool : -1,
                              .outcome = outcome,
                              .useful_s = ran ? b->useful_s : 0,
                              .lost_s = ran ? b->lost_s : 0};
    attempt_log_add(log, &a);
}

/* Tells the nodes of a job what their time went to. */
static void book(struct jobs_run *r, const struct queue_job *j, const struct attempt_books *b)
{
    const struct job_nodes *n = &r->pools[j->entry];
    uint32_t count = 0;
    for (uint32_t i = j->slot; i != NO_SLOT; i = n->nodes[i].next, count++) {
        independent_did(n->crew, i, ACTIVITY_RESTORE, b->restore_s * j->share);
        independent_did(n->crew, i, ACTIVITY_USEFUL, b->useful_s * j->share);
        independent_did(n->crew, i, ACTIVITY_CHECKPOINT, b->checkpoint_s * j->share);
        independent_did(n->crew, i, ACTIVITY_LOST, b->lost_s * j->share);
    }
    fleet_count_work(r->fleet, count);
    r->checkpoints += b->written;
    if (j->entry == 0) {
        r->queue.base_busy_node_s += (r->calendar->now_s - j->start_s) * count * j->share;
    }
}

/* Ends the attempt; the job stands in no list then. */
static void stop(struct jobs_run *r, uint32_t job, enum attempt_outcome outcome)
{
    struct queue_job *j = &r->store.jobs[job];
    const struct attempt_books b = queue_job_stop(j, &r->saving, r->calendar->now_s);
    calendar_cancel(r->calendar, j->event);
    book(r, j, &b);
    log_attempt(r, j, outcome, &b);
    if (j->yields) {
        job_nodes_yield(&r->pools[j->entry], j->slot, j->width, false);
        j->yields = false;
    }
    job_nodes_give_back(&r->pools[j->entry], j->slot, j->width, r->calendar->now_s);
    job_list_remove(&r->running, &r->store, job);
}

void jobs_tell_time(struct jobs_run *r, struct times_list *times, double s)
{
    if (!times_list_add(times, s > AT_ONCE_S ? s : 0)) {
        fleet_fail(r->fleet);
    }
}

void jobs_complete(struct jobs_run *r, uint32_t job)
{
    struct queue_job *j = &r->store.jobs[job];
    stop(r, job, j->is.gives_up ? ATTEMPT_STOPPED : ATTEMPT_FINISHED);
    note_job(r, j, j->is.gives_up ? "is given up early" : "is done");
    jobs_tell_time(r, &r->turnarounds, r->calendar->now_s - j->is.submit_s);
    r->queue.done++;
    job_store_drop(&r->store, job);
}

void jobs_enqueue(struct jobs_run *r, uint32_t job)
{
    r->store.jobs[job].queued_s = r->calendar->now_s;
    fleet_count_work(r->fleet, job_list_insert(&r->waiting, &r->store, job));
}

void jobs_lose(struct jobs_run *r, uint32_t job)
{
    stop(r, job, ATTEMPT_LOST);
    note_job(r, &r->store.jobs[job], "loses a node");
    r->losses++;
    jobs_enqueue(r, job);
}

void jobs_leave(struct jobs_run *r, uint32_t job)
{
    stop(r, job, ATTEMPT_PREEMPTED);
    note_job(r, &r->store.jobs[job], "is preempted");
    jobs_enqueue(r, job);
}

void jobs_cut(struct jobs_run *r, uint32_t job)
{
    stop(r, job, ATTEMPT_CUT);
}

void jobs_log_waiting(struct jobs_run *r, uint32_t job)
{
    log_attempt(r, &r->store.jobs[job], ATTEMPT_CUT, NULL);
}

/* ---- giving out nodes ---- */

static void job_ends(void *actor, uint64_t tag)
{
    struct jobs_run *r = actor;
    jobs_complete(r, (uint32_t)tag);
    jobs_give_out(r);
}

double jobs_work_here_s(const struct jobs_run *r, const struct queue_job *j, size_t entry)
{
    const struct job_width w = jobs_width(&r->plan->entries[entry], j->is.nodes, j->is.gpus);
    double wide = j->is.gpus > 0 ? j->is.gpus : (double)w.nodes * w.gpus;
    double whole_s = isnan(j->is.duration_s) ? j->is.gpu_s / wide : j->is.duration_s;
    return whole_s / r->speed[entry];
}

static double restore_s(const struct jobs_run *r, const struct queue_job *j)
{
    if (j->kept <= 0 || r->saving.mode == SAVE_NEVER) {
        return 0;
    }
    if (r->restore.family == DISTRIBUTION_CONSTANT) {
        return r->restore.p[0];
    }
    uint64_t source = random_source_at(r->source_restore, j->is.ordinal);
    return distribution_quantile(&r->restore,
                                 random_uniform_at(fleet_world(r->fleet), source, j->attempts));
}

static void run(struct jobs_run *r, uint32_t job, size_t entry, uint32_t slot)
{
    struct queue_job *j = &r->store.jobs[job];
    const double now_s = r->calendar->now_s;
    job_list_remove(&r->waiting, &r->store, job);
    job_list_append(&r->running, &r->store, job);
    j->entry = (uint32_t)entry;
    j->slot = slot;
    j->width = jobs_width(&r->plan->entries[entry], j->is.nodes, j->is.gpus);
    j->share = (double)j->width.gpus / r->plan->entries[entry].gpus;
    j->start_s = now_s;
    j->whole_s = jobs_work_here_s(r, j, entry);
    j->restore_s = restore_s(r, j);
    j->cycle = (struct checkpoint_cycle){.left_s = j->whole_s * (1 - j->kept),
                                         .every_s = r->every_s[entry],
                                         .write_s = r->saving.write_s};
    j->saving_since_s = HUGE_VAL;
    j->yields = false;
    double length_s = j->cycle.left_s > 0 ? checkpoint_cycle_length_s(&j->cycle) : 0;
    j->end_s = now_s + j->restore_s + length_s;
    if (j->attempts == 0) {
        j->first_start_s = now_s;
        jobs_tell_time(r, &r->waits, now_s - j->is.submit_s);
    } else if (j->restore_s > 0) {
        r->restarts++;
    }
    j->attempts++;
    note_job(r, j, "runs");
    if (calendar_schedule(r->calendar, j->end_s, EVENT_WORK, job_ends, r, job, &j->event) !=
        CALENDAR_OK) {
        fleet_fail(r->fleet);
    }
}

static void look_again(void *actor, uint64_t tag)
{
    struct jobs_run *r = actor;
    (void)tag;
    r->look_event = EVENT_NONE;
    jobs_give_out(r);
}

void jobs_look_at(struct jobs_run *r, double t_s)
{
    calendar_cancel(r->calendar, r->look_event);
    r->look_event = EVENT_NONE;
    if (isfinite(t_s) && calendar_schedule(r->calendar, fmax(t_s, r->calendar->now_s), EVENT_POLICY,
                                           look_again, r, 0, &r->look_event) != CALENDAR_OK) {
        fleet_fail(r->fleet);
    }
}

/* How many ways to buy are open to this job now; in *next_s, if sooner, when more will be. */
static size_t ways_open(const struct jobs_run *r, const struct queue_job *j, double *next_s)
{
    const double over_s = j->queued_s + r->overflow_s;
    if (r->plan->entry_count == 1 || over_s <= r->calendar->now_s) {
        return r->plan->entry_count;
    }
    *next_s = fmin(*next_s, over_s);
    return 1;
}

/* Who may pass the first job that waits: whatever is there, or what leaves its reservation alone.
 */
struct passing {
    bool reserved;
    double from_s; /* the reservation's; +infinity: there is none */
};

static bool leaves_alone(const struct jobs_run *r, const struct queue_job *j, size_t entry,
                         const struct passing *p)
{
    return p->reserved && isfinite(p->from_s) && jobs_would_outlast(r, j, entry, p->from_s);
}

enum given { GIVEN_NODES, GIVEN_WORD, GIVEN_NOTHING };

/* Nodes that are ready. */
static bool take(struct jobs_run *r, uint32_t job, size_t open, const struct passing *p)
{
    const struct queue_job *j = &r->store.jobs[job];
    for (size_t e = 0; e < open; e++) {
        const struct job_width w = jobs_width(&r->plan->entries[e], j->is.nodes, j->is.gpus);
        uint32_t slot = job_nodes_take(&r->pools[e], w, leaves_alone(r, j, e, p));
        if (slot != NO_SLOT) {
            run(r, job, e, slot);
            return true;
        }
    }
    return false;
}

/* It speaks for some that are to come: in the last way open to it even those that the pool does not
 * have now. */
static bool call(struct jobs_run *r, uint32_t job, size_t open, const struct passing *p)
{
    const struct queue_job *j = &r->store.jobs[job];
    for (size_t e = 0; e < open; e++) {
        const struct job_width w = jobs_width(&r->plan->entries[e], j->is.nodes, j->is.gpus);
        if (job_nodes_call(&r->pools[e], w, e + 1 < open, leaves_alone(r, j, e, p))) {
            return true;
        }
    }
    return false;
}

static bool make_room(struct jobs_run *r, uint32_t job, size_t open)
{
    bool made = false;
    for (size_t e = 0; r->plan->spec->preempt && e < open && !made; e++) {
        made = jobs_preempt(r, &r->store.jobs[job], e);
    }
    return made;
}

static enum given give_to(struct jobs_run *r, uint32_t job, const struct passing *p, double *next_s)
{
    const size_t open = ways_open(r, &r->store.jobs[job], next_s);
    if (take(r, job, open, p)) {
        return GIVEN_NODES;
    }
    if (call(r, job, open, p)) {
        return GIVEN_WORD;
    }
    if (!make_room(r, job, open)) {
        return GIVEN_NOTHING;
    }
    return take(r, job, open, p) ? GIVEN_NODES : call(r, job, open, p) ? GIVEN_WORD : GIVEN_NOTHING;
}

/* Something is left that is neither given nor spoken for. */
static bool has_room(const struct jobs_run *r)
{
    bool any = false;
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        any = any || r->pools[e].left > 0;
    }
    return any;
}

static void give_to_all(struct jobs_run *r, double *next_s)
{
    const struct jobs_spec *spec = r->plan->spec;
    const uint32_t at_a_time = spec->at_a_time > 0 ? (uint32_t)spec->at_a_time : UINT32_MAX;
    uint32_t in_hand = r->running.count, looked = 0;
    struct passing p = {false, HUGE_VAL};
    for (uint32_t job = r->waiting.first; job != NO_JOB && in_hand < at_a_time;) {
        uint32_t next = r->store.jobs[job].next;
        enum given given = give_to(r, job, &p, next_s);
        if (given == GIVEN_NOTHING && (spec->backfill == BACKFILL_NONE || !has_room(r))) {
            break;
        }
        if (given == GIVEN_NOTHING && spec->backfill == BACKFILL_EASY && !p.reserved) {
            double later_s = HUGE_VAL;
            p.reserved = true;
            p.from_s =
                jobs_reserve(r, &r->store.jobs[job], ways_open(r, &r->store.jobs[job], &later_s));
        }
        in_hand += given != GIVEN_NOTHING;
        looked++;
        job = next;
    }
    fleet_count_work(r->fleet, looked);
}

void jobs_track_idle(struct jobs_run *r)
{
    uint32_t held = 0;
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        held += r->pools[e].crew->held;
    }
    bool idle = !r->over && r->waiting.count > 0 && held == 0;
    if (idle && r->idle_since_s < 0) {
        r->idle_since_s = r->calendar->now_s;
    } else if (!idle && r->idle_since_s >= 0) {
        r->idle_s += r->calendar->now_s - r->idle_since_s;
        r->idle_since_s = -1;
    }
}

static void give_out_once(struct jobs_run *r)
{
    const bool always = r->plan->spec->keep_idle.word == 0;
    double next_s = HUGE_VAL;
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        job_nodes_round(&r->pools[e]);
    }
    give_to_all(r, &next_s);
    for (size_t e = 0; e < r->plan->entry_count; e++) {
        job_nodes_ask(&r->pools[e], always && e == 0);
    }
    for (size_t e = 0; e < r->plan->entry_count && !r->again; e++) {
        job_nodes_tidy(&r->pools[e], r->keep_idle_s[e], &next_s);
    }
    jobs_look_at(r, next_s);
}

void jobs_give_out(struct jobs_run *r)
{
    if (r->giving) {
        r->again = true;
        return;
    }
    r->giving = true;
    do {
        r->again = false;
        if (r->all_came && r->waiting.count + r->running.count == 0) {
            jobs_end(r, true, END_FINISHED);
        } else {
            give_out_once(r);
        }
    } while (r->again && !r->over);
    r->giving = false;
    jobs_track_idle(r);
}
