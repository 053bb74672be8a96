/* SPDX-License-Identifier: GPL-3.0-or-later
 * What became of every job, attempt by attempt: who waited from when to when, who ran where, and
 * why it ended. NULL in every ordinary run, as the journal; kept of plan worlds for jobs.csv. */
#ifndef FLEETCAST_MODELS_ATTEMPT_LOG_H
#define FLEETCAST_MODELS_ATTEMPT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attempt_outcome {
    ATTEMPT_FINISHED,
    ATTEMPT_STOPPED,   /* a trial that was given up early: it is done */
    ATTEMPT_LOST,      /* nodes were lost: the rest is done in another attempt */
    ATTEMPT_LEFT,      /* the job left its nodes of its own will: for another pool, or at a window's
                          end */
    ATTEMPT_CUT,       /* by the horizon, the cancelled project or the budget */
    ATTEMPT_PREEMPTED, /* a job of higher priority took its nodes: the rest is done later */
    ATTEMPT_OUTCOMES
};
extern const char *const attempt_outcome_names[];

struct attempt {
    uint32_t workload;
    uint32_t job;                 /* of the workload, from 0 */
    const char *name;             /* of the job, "": none; borrowed */
    uint32_t attempt;             /* of the job, from 0 */
    double submitted_s, queued_s; /* the job; this attempt, since when it waits */
    double start_s, end_s;        /* start NaN: it never began */
    uint32_t nodes, gpus;         /* nodes, and GPUs of each, 0: all of them */
    double share;                 /* of its nodes */
    double fewer_node_s;          /* by how much it had less than all `nodes` from start to end */
    int32_t pool;                 /* of the market; -1: none */
    enum attempt_outcome outcome;
    double useful_s, lost_s; /* work of the gang that was kept, and that was thrown away */
};

struct attempt_log;
/* limit: most entries; the rest is counted. NULL when out of memory. */
struct attempt_log *attempt_log_new(size_t limit);
void attempt_log_free(struct attempt_log *log);
void attempt_log_clear(struct attempt_log *log);
/* Does nothing when log is NULL. */
void attempt_log_add(struct attempt_log *log, const struct attempt *a);
size_t attempt_log_count(const struct attempt_log *log);
size_t attempt_log_dropped(const struct attempt_log *log);
/* By workload, job and attempt. */
void attempt_log_sort(struct attempt_log *log);
const struct attempt *attempt_log_at(const struct attempt_log *log, size_t index);

#endif
