/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/job_attempts.h"

#include <math.h>

/* Marks and stretches of one instant may differ by rounding. */
#define INSTANT_S 1e-6

/* An attempt that may still go on, and the one before it. */
struct reading_trail {
    struct attempt_log *log;
    struct attempt open;
    bool is_open;
    double node_s; /* of the open one: the nodes of an elastic job come and go while it runs */
    double free_since_s; /* the end of the last attempt, or the submission */
    uint32_t attempts;
};

static bool runs(const struct trail_entry *e)
{
    return e->state == TRAIL_RESIZE || e->state == TRAIL_RESTORE || e->state == TRAIL_WORK ||
           e->state == TRAIL_CHECKPOINT || e->state == TRAIL_SAVED;
}

static void close_attempt(struct reading_trail *r)
{
    if (r->is_open) {
        r->open.fewer_node_s = (r->open.end_s - r->open.start_s) * r->open.nodes - r->node_s;
        attempt_log_add(r->log, &r->open);
        r->free_since_s = r->open.end_s;
        r->is_open = false;
    }
}

static void open_attempt(struct reading_trail *r, const struct trail_entry *e, double submitted_s)
{
    r->open = (struct attempt){.workload = e->workload,
                               .name = "",
                               .attempt = r->attempts++,
                               .submitted_s = submitted_s,
                               .queued_s = r->free_since_s,
                               .start_s = e->start_s,
                               .end_s = e->end_s,
                               .nodes = e->nodes,
                               .share = 1,
                               .pool = e->pool,
                               .outcome = ATTEMPT_LEFT,
                               .useful_s = (double)NAN,
                               .lost_s = (double)NAN};
    r->is_open = true;
    r->node_s = (e->end_s - e->start_s) * e->nodes;
}

static void take_stretch(struct reading_trail *r, const struct trail_entry *e, double submitted_s)
{
    bool goes_on = r->is_open && runs(e) && e->pool == r->open.pool &&
                   e->start_s <= r->open.end_s + INSTANT_S && r->open.outcome == ATTEMPT_LEFT;
    if (goes_on) {
        r->node_s += (e->end_s - e->start_s) * e->nodes;
        r->open.end_s = e->end_s;
        r->open.nodes = e->nodes > r->open.nodes ? e->nodes : r->open.nodes;
        return;
    }
    if (e->start_s >= e->end_s && !r->is_open) {
        return;
    }
    /* A stretch of no length says nothing but that something ended. */
    bool instant = e->start_s >= e->end_s;
    if (!runs(e) || !instant) {
        if (r->is_open && e->start_s >= r->open.end_s - INSTANT_S && !runs(e)) {
            return; /* marks of this instant may still come; what runs next closes it */
        }
        close_attempt(r);
    }
    if (runs(e) && !instant) {
        open_attempt(r, e, submitted_s);
    }
}

static void take_mark(struct reading_trail *r, const struct trail_entry *e)
{
    static const enum attempt_outcome of_mark[TRAIL_MARKS] = {[TRAIL_WRITTEN] = ATTEMPT_LEFT,
                                                              [TRAIL_LOSS] = ATTEMPT_LOST,
                                                              [TRAIL_DONE] = ATTEMPT_FINISHED,
                                                              [TRAIL_CUT] = ATTEMPT_CUT};
    bool at_end = r->is_open && fabs(e->start_s - r->open.end_s) <= INSTANT_S;
    if (at_end && e->mark != TRAIL_WRITTEN) {
        r->open.outcome = of_mark[e->mark];
    }
}

/* It ended while it waited: a last row says so. */
static void end_waiting(struct reading_trail *r, uint32_t workload, double submitted_s,
                        double end_s)
{
    const struct attempt a = {.workload = workload,
                              .name = "",
                              .attempt = r->attempts,
                              .submitted_s = submitted_s,
                              .queued_s = r->free_since_s,
                              .start_s = (double)NAN,
                              .end_s = end_s,
                              .pool = -1,
                              .outcome = ATTEMPT_CUT,
                              .useful_s = (double)NAN,
                              .lost_s = (double)NAN};
    attempt_log_add(r->log, &a);
}

static void read_workload(struct attempt_log *log, const struct trail *trail, size_t first,
                          size_t count, const struct metric_cells *c)
{
    double end_h = metric_number(c, METRIC_TIME_TO_TRAIN);
    double submitted_s = (end_h - metric_number(c, METRIC_MAKESPAN)) * 3600;
    submitted_s = isnan(submitted_s) ? trail_at(trail, first)->start_s : fmax(0, submitted_s);
    struct reading_trail r = {.log = log, .free_since_s = submitted_s};
    double cut_s = (double)NAN;
    for (size_t i = first; i < first + count; i++) {
        const struct trail_entry *e = trail_at(trail, i);
        if (!e->is_mark) {
            take_stretch(&r, e, submitted_s);
            continue;
        }
        take_mark(&r, e);
        cut_s = e->mark == TRAIL_CUT ? e->start_s : cut_s;
    }
    close_attempt(&r);
    if (!isnan(cut_s) && cut_s > r.free_since_s + INSTANT_S) {
        end_waiting(&r, trail_at(trail, first)->workload, submitted_s, cut_s);
    }
}

void job_attempts_of_trail(struct attempt_log *log, const struct trail *trail,
                           const struct run *run, size_t strategy)
{
    const uint32_t world = run->plan_worlds[strategy];
    for (size_t i = 0; i < trail_count(trail);) {
        const uint32_t workload = trail_at(trail, i)->workload;
        size_t count = 0;
        while (i + count < trail_count(trail) && trail_at(trail, i + count)->workload == workload) {
            count++;
        }
        read_workload(log, trail, i, count,
                      results_cells(&run->results, world, strategy, workload));
        i += count;
    }
}
