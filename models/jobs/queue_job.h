/* SPDX-License-Identifier: GPL-3.0-or-later
 * A job that waits or runs, what it does of its work in one attempt, and a store of such jobs that
 * are lined up in lists. For models/jobs only. */
#ifndef FLEETCAST_MODELS_QUEUE_JOB_H
#define FLEETCAST_MODELS_QUEUE_JOB_H

#include "engine/calendar.h"
#include "models/jobs/job_nodes.h"
#include "models/jobs/job_stream.h"
#include "models/training/checkpoint_cycle.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_JOB UINT32_MAX

struct queue_job {
    struct stream_job is;
    double rank;          /* the lower the sooner; then by ordinal */
    double kept;          /* share of its work that is kept */
    double queued_s;      /* since when it waits */
    double first_start_s; /* NaN: it has not run */
    uint32_t attempts;    /* begun */
    uint32_t next, previous;
    /* While it runs: */
    uint32_t entry, slot; /* where: way to buy, first of its nodes */
    struct job_width width;
    double share;              /* of its nodes */
    double start_s, restore_s; /* of the attempt; how long it loads its checkpoint */
    double whole_s;            /* all of its work here, undisturbed */
    struct checkpoint_cycle cycle;
    double end_s; /* when its work is done */
    struct event_id event;
    double saving_since_s; /* a checkpoint because it will have to go; +infinity: none */
    bool yields;           /* it is preempted, and goes as soon as that is written */
};

/* What one attempt did, of its nodes together. */
struct attempt_books {
    double restore_s, useful_s, checkpoint_s, lost_s;
    uint64_t written; /* checkpoints */
};

/* How much of it a checkpoint holds: SAVE_*. */
struct job_saving {
    int mode;
    double write_s;
};

/* Up to now_s; the job's kept share is raised by what is kept. */
struct attempt_books queue_job_stop(struct queue_job *j, const struct job_saving *saving,
                                    double now_s);

/* How long a write takes that keeps all that is done now; 0: all is kept, or nothing can be. */
double queue_job_write_s(const struct queue_job *j, const struct job_saving *saving, double now_s);

/* Lists of jobs by index. */
struct job_list {
    uint32_t first, last, count;
};
struct job_store {
    struct queue_job *jobs;
    uint32_t used, capacity, free; /* free: a list of those given back, along `next` */
};
void job_store_release(struct job_store *s);
void job_store_clear(struct job_store *s);
/* A zeroed one; NO_JOB when out of memory. Others may move. */
uint32_t job_store_add(struct job_store *s);
void job_store_drop(struct job_store *s, uint32_t job);
void job_list_clear(struct job_list *l);
void job_list_remove(struct job_list *l, struct job_store *s, uint32_t job);
/* By rank, behind its equals; returns how many were looked at. */
uint32_t job_list_insert(struct job_list *l, struct job_store *s, uint32_t job);
void job_list_append(struct job_list *l, struct job_store *s, uint32_t job);

#endif
