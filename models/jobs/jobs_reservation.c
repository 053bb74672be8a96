/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_reservation.h"

#include "models/fleet/independent_nodes.h"

#include <math.h>
#include <stdlib.h>

/* An end at the time of the reservation is in time, whatever its rounding. */
#define ROUNDING_S 1e-6

struct ending {
    double at_s;
    uint32_t job;
};

static int by_time(const void *a, const void *b)
{
    const struct ending *x = a, *y = b;
    return x->at_s < y->at_s ? -1 : x->at_s > y->at_s ? 1 : (x->job > y->job) - (x->job < y->job);
}

static double said(const struct jobs_run *r, double s)
{
    return s * r->plan->spec->estimate.median;
}

/* Those that run here, by the time at which they are said to end. */
static size_t find_endings(const struct jobs_run *r, size_t entry, struct ending *all)
{
    size_t count = 0;
    for (uint32_t job = r->running.first; job != NO_JOB; job = r->store.jobs[job].next) {
        const struct queue_job *j = &r->store.jobs[job];
        if (j->entry == entry) {
            double end_s = j->start_s + said(r, j->end_s - j->start_s);
            all[count++] = (struct ending){j->yields ? r->calendar->now_s : end_s, job};
        }
    }
    qsort(all, count, sizeof *all, by_time);
    return count;
}

/* What of each node is there now, or would come at once. */
static void room_now(const struct job_nodes *n, uint32_t *room)
{
    uint32_t may_come = independent_room(n->crew);
    may_come = may_come > n->called ? may_come - n->called : 0;
    may_come = may_come < n->may_come ? may_come : n->may_come;
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        const enum node_state state = n->crew->nodes[i].state;
        bool comes = state != NODE_HELD && n->room[i] == n->entry->gpus && may_come > 0;
        may_come -= comes;
        room[i] = state == NODE_HELD || comes ? n->room[i] : 0;
    }
}

/* Room of each node once those have ended that make enough of it; +infinity: it is never enough. */
static double first_time(const struct jobs_run *r, size_t entry, const struct job_width *w,
                         const struct ending *all, size_t count, uint32_t *room)
{
    const struct job_nodes *n = &r->pools[entry];
    uint32_t nodes = 0;
    room_now(n, room);
    for (uint32_t i = 0; i < n->entry->nodes; i++) {
        nodes += room[i] >= w->gpus;
    }
    double at_s = r->calendar->now_s;
    for (size_t k = 0; k < count && nodes < w->nodes; k++) {
        const struct queue_job *j = &r->store.jobs[all[k].job];
        at_s = all[k].at_s;
        uint32_t i = j->slot;
        for (uint32_t m = 0; m < j->width.nodes && i != NO_SLOT; m++, i = n->nodes[i].next) {
            bool was = room[i] >= w->gpus;
            room[i] += j->yields ? 0 : j->width.gpus; /* what yields is in the room already */
            nodes += room[i] >= w->gpus && !was;
        }
    }
    return nodes >= w->nodes ? at_s : HUGE_VAL;
}

/* Of the nodes that will do first those that are busy now, then those that are not there, so that
 * others may use the free ones. */
static void keep(struct job_nodes *n, const struct job_width *w, const uint32_t *room)
{
    enum { BUSY, ABSENT, FREE, STATES };
    uint32_t lacks = w->nodes;
    for (int state = BUSY; state < STATES; state++) {
        for (uint32_t i = 0; i < n->entry->nodes && lacks > 0; i++) {
            int is = n->room[i] < w->gpus                   ? BUSY
                     : n->crew->nodes[i].state == NODE_HELD ? FREE
                                                            : ABSENT;
            if (room[i] >= w->gpus && is == state) {
                n->nodes[i].kept = true;
                lacks--;
            }
        }
    }
}

double jobs_reserve(struct jobs_run *r, const struct queue_job *j, size_t open)
{
    double first_s = HUGE_VAL;
    size_t first = 0;
    struct ending *all = calloc(r->running.count + 1, sizeof *all);
    for (size_t pass = 0; all != NULL && pass < 2; pass++) {
        for (size_t e = pass == 0 ? 0 : first; e < (pass == 0 ? open : first + 1); e++) {
            const struct job_width w = jobs_width(&r->plan->entries[e], j->is.nodes, j->is.gpus);
            uint32_t *room = calloc(r->plan->entries[e].nodes + 1, sizeof *room);
            double at_s = HUGE_VAL;
            if (room == NULL) {
                fleet_fail(r->fleet);
            } else {
                at_s = first_time(r, e, &w, all, find_endings(r, e, all), room);
            }
            if (pass == 0 && at_s < first_s) {
                first_s = at_s;
                first = e;
            } else if (pass == 1 && isfinite(first_s)) {
                keep(&r->pools[e], &w, room);
            }
            fleet_count_work(r->fleet, r->running.count + r->plan->entries[e].nodes);
            free(room);
        }
    }
    if (all == NULL) {
        fleet_fail(r->fleet);
    }
    free(all);
    return first_s;
}

bool jobs_would_outlast(const struct jobs_run *r, const struct queue_job *j, size_t entry,
                        double then_s)
{
    double left_s = jobs_work_here_s(r, j, entry) * (1 - j->kept);
    const struct checkpoint_cycle cycle = {
        .left_s = left_s, .every_s = r->every_s[entry], .write_s = r->saving.write_s};
    double length_s = left_s > 0 ? checkpoint_cycle_length_s(&cycle) : 0;
    double restore_s = j->kept > 0 ? variate_planned_mean(&r->plan->spec->checkpoint.restore) : 0;
    return r->calendar->now_s + said(r, restore_s + length_s) > then_s + ROUNDING_S;
}
