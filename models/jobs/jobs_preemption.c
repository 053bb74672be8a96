/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_preemption.h"

#include <math.h>
#include <stdlib.h>

struct victim {
    uint32_t job;
    int64_t priority;
    double start_s;
};

static int by_worth(const void *a, const void *b)
{
    const struct victim *x = a, *y = b;
    if (x->priority != y->priority) {
        return x->priority < y->priority ? -1 : 1;
    }
    if (x->start_s < y->start_s || x->start_s > y->start_s) {
        return x->start_s > y->start_s ? -1 : 1;
    }
    return x->job > y->job ? -1 : x->job < y->job;
}

/* All that may be taken from; returns how many. */
static size_t find_victims(const struct jobs_run *r, const struct queue_job *j, size_t entry,
                           struct victim *all)
{
    size_t count = 0;
    for (uint32_t job = r->running.first; job != NO_JOB; job = r->store.jobs[job].next) {
        const struct queue_job *v = &r->store.jobs[job];
        if (v->entry == entry && v->is.priority < j->is.priority && !v->yields &&
            isinf(v->saving_since_s)) {
            all[count++] = (struct victim){job, v->is.priority, v->start_s};
        }
    }
    qsort(all, count, sizeof *all, by_worth);
    return count;
}

/* Adds (or takes away) what this job holds; *nodes: those that hold enough for the width. */
static void count_in(const struct jobs_run *r, uint32_t job, const struct job_width *w,
                     uint32_t *room, uint32_t *nodes, bool add)
{
    const struct queue_job *v = &r->store.jobs[job];
    const struct job_nodes *n = &r->pools[v->entry];
    uint32_t i = v->slot;
    for (uint32_t k = 0; k < v->width.nodes && i != NO_SLOT; k++, i = n->nodes[i].next) {
        bool was = room[i] >= w->gpus;
        room[i] = add ? room[i] + v->width.gpus : room[i] - v->width.gpus;
        bool is = room[i] >= w->gpus;
        *nodes = *nodes + is - was;
    }
}

/* The first of them that make room, less those without whom there would be room as well. */
static size_t choose(const struct jobs_run *r, size_t entry, const struct job_width *w,
                     struct victim *all, size_t count, uint32_t *room)
{
    const struct job_nodes *n = &r->pools[entry];
    uint32_t nodes = 0;
    size_t chosen = 0, kept = 0;
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        room[i] = n->crew->nodes[i].state == NODE_HELD ? n->room[i] : 0;
        nodes += room[i] >= w->gpus;
    }
    while (chosen < count && nodes < w->nodes) {
        count_in(r, all[chosen++].job, w, room, &nodes, true);
    }
    if (nodes < w->nodes) {
        return 0;
    }
    for (size_t k = chosen; k-- > 0;) { /* the worthiest are spared first */
        count_in(r, all[k].job, w, room, &nodes, false);
        if (nodes >= w->nodes) {
            all[k].job = NO_JOB;
        } else {
            count_in(r, all[k].job, w, room, &nodes, true);
        }
    }
    for (size_t k = 0; k < chosen; k++) {
        if (all[k].job != NO_JOB) {
            all[kept++] = all[k];
        }
    }
    return kept;
}

static void has_saved(void *actor, uint64_t tag)
{
    struct jobs_run *r = actor;
    jobs_leave(r, (uint32_t)tag);
    jobs_give_out(r);
}

/* It leaves now, or when its work is saved, or done. */
static void yield(struct jobs_run *r, uint32_t job)
{
    struct queue_job *v = &r->store.jobs[job];
    const double now_s = r->calendar->now_s;
    const double write_s = queue_job_write_s(v, &r->saving, now_s);
    if (write_s <= 0) {
        job_nodes_freed(&r->pools[v->entry], v->slot, v->width);
        jobs_leave(r, job);
        return;
    }
    v->yields = true;
    job_nodes_yield(&r->pools[v->entry], v->slot, v->width, true);
    if (v->end_s > now_s + write_s) {
        calendar_cancel(r->calendar, v->event);
        v->saving_since_s = now_s;
        if (calendar_schedule(r->calendar, now_s + write_s, EVENT_WORK, has_saved, r, job,
                              &v->event) != CALENDAR_OK) {
            fleet_fail(r->fleet);
        }
    }
}

bool jobs_preempt(struct jobs_run *r, const struct queue_job *j, size_t entry)
{
    const struct job_width w = jobs_width(&r->plan->entries[entry], j->is.nodes, j->is.gpus);
    struct victim *all = calloc(r->running.count + 1, sizeof *all);
    uint32_t *room = calloc(r->plan->entries[entry].nodes + 1, sizeof *room);
    size_t chosen = 0;
    if (all == NULL || room == NULL) {
        fleet_fail(r->fleet);
    } else {
        size_t count = find_victims(r, j, entry, all);
        chosen = count > 0 ? choose(r, entry, &w, all, count, room) : 0;
    }
    for (size_t k = 0; k < chosen; k++) {
        yield(r, all[k].job);
    }
    fleet_count_work(r->fleet, r->running.count + r->plan->entries[entry].nodes);
    r->again = r->again || chosen > 0; /* those that left may find room elsewhere */
    free(all);
    free(room);
    return chosen > 0;
}
