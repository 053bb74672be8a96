/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/queue_job.h"

#include <math.h>
#include <stdlib.h>

/* ---- one attempt ---- */

/* Where the work stands so long after it began. */
static struct checkpoint_state state_at(const struct queue_job *j, int mode, double elapsed_s)
{
    struct checkpoint_state s = {0};
    if (j->cycle.left_s > 0) {
        s = checkpoint_cycle_at(&j->cycle, elapsed_s);
    }
    if (mode == SAVE_ALWAYS) {
        s.kept_s += s.unkept_s;
        s.unkept_s = 0;
    }
    return s;
}

/* What a write that began at the notice has kept by now. */
static void save(const struct queue_job *j, const struct job_saving *saving, double now_s,
                 struct checkpoint_state *s)
{
    if (s->unkept_s <= 0) {
        return;
    }
    double write_s = s->write_left_s > 0 ? s->write_left_s : saving->write_s;
    double wrote_s = fmin(now_s - j->saving_since_s, write_s);
    s->writing_s += wrote_s;
    if (j->saving_since_s + write_s <= now_s) {
        s->kept_s += s->unkept_s;
        s->unkept_s = 0;
        s->written++;
    }
}

struct attempt_books queue_job_stop(struct queue_job *j, const struct job_saving *saving,
                                    double now_s)
{
    const double works_s = j->start_s + j->restore_s;
    struct attempt_books b = {.restore_s = fmin(now_s - j->start_s, j->restore_s)};
    const bool saves = isfinite(j->saving_since_s);
    const bool whole = !saves && now_s >= j->end_s;
    double until_s = saves ? j->saving_since_s : now_s;
    if (until_s < works_s && !whole) {
        return b;
    }
    struct checkpoint_state s = state_at(j, saving->mode, whole ? HUGE_VAL : until_s - works_s);
    if (saves) {
        save(j, saving, now_s, &s);
    }
    b.useful_s = s.kept_s;
    b.lost_s = s.unkept_s;
    b.checkpoint_s = s.writing_s;
    b.written = s.written;
    j->kept = whole || j->whole_s <= 0 ? 1 : fmin(1, j->kept + s.kept_s / j->whole_s);
    return b;
}

double queue_job_write_s(const struct queue_job *j, const struct job_saving *saving, double now_s)
{
    const double elapsed_s = now_s - j->start_s - j->restore_s;
    if (saving->mode != SAVE_AT_TIMES || elapsed_s <= 0) {
        return 0;
    }
    const struct checkpoint_state s = state_at(j, saving->mode, elapsed_s);
    return s.unkept_s <= 0 ? 0 : s.write_left_s > 0 ? s.write_left_s : saving->write_s;
}

/* ---- the store ---- */

void job_store_release(struct job_store *s)
{
    free(s->jobs);
    *s = (struct job_store){.free = NO_JOB};
}

void job_store_clear(struct job_store *s)
{
    s->used = 0;
    s->free = NO_JOB;
}

uint32_t job_store_add(struct job_store *s)
{
    uint32_t job = s->free;
    if (job != NO_JOB) {
        s->free = s->jobs[job].next;
    } else if (s->used < s->capacity) {
        job = s->used++;
    } else {
        uint32_t capacity = s->capacity == 0 ? 64 : 2 * s->capacity;
        struct queue_job *grown = realloc(s->jobs, capacity * sizeof *grown);
        if (grown == NULL) {
            return NO_JOB;
        }
        s->jobs = grown;
        s->capacity = capacity;
        job = s->used++;
    }
    s->jobs[job] = (struct queue_job){.next = NO_JOB, .previous = NO_JOB};
    return job;
}

void job_store_drop(struct job_store *s, uint32_t job)
{
    s->jobs[job].next = s->free;
    s->free = job;
}

/* ---- lists ---- */

void job_list_clear(struct job_list *l)
{
    *l = (struct job_list){NO_JOB, NO_JOB, 0};
}

void job_list_remove(struct job_list *l, struct job_store *s, uint32_t job)
{
    const struct queue_job *j = &s->jobs[job];
    if (j->previous == NO_JOB) {
        l->first = j->next;
    } else {
        s->jobs[j->previous].next = j->next;
    }
    if (j->next == NO_JOB) {
        l->last = j->previous;
    } else {
        s->jobs[j->next].previous = j->previous;
    }
    l->count--;
}

/* Behind this one; NO_JOB: to the front. */
static void insert_behind(struct job_list *l, struct job_store *s, uint32_t job, uint32_t before)
{
    struct queue_job *j = &s->jobs[job];
    j->previous = before;
    j->next = before == NO_JOB ? l->first : s->jobs[before].next;
    if (before == NO_JOB) {
        l->first = job;
    } else {
        s->jobs[before].next = job;
    }
    if (j->next == NO_JOB) {
        l->last = job;
    } else {
        s->jobs[j->next].previous = job;
    }
    l->count++;
}

static bool comes_before(const struct queue_job *a, const struct queue_job *b)
{
    return a->rank < b->rank || (a->rank <= b->rank && a->is.ordinal < b->is.ordinal);
}

uint32_t job_list_insert(struct job_list *l, struct job_store *s, uint32_t job)
{
    uint32_t before = l->last, looked = 1;
    while (before != NO_JOB && comes_before(&s->jobs[job], &s->jobs[before])) {
        before = s->jobs[before].previous;
        looked++;
    }
    insert_behind(l, s, job, before);
    return looked;
}

void job_list_append(struct job_list *l, struct job_store *s, uint32_t job)
{
    insert_behind(l, s, job, l->last);
}
