/* SPDX-License-Identifier: GPL-3.0-or-later
 * Giving out nodes to the jobs of a queue, and what becomes of those that run. The rest of the life
 * of a queue is in jobs_run.h. For models/jobs only. */
#ifndef FLEETCAST_MODELS_JOBS_GIVING_H
#define FLEETCAST_MODELS_JOBS_GIVING_H

#include "models/jobs/jobs_run.h"
#include "models/jobs/queue_job.h"
#include "models/jobs/wait_times.h"

struct jobs_run {
    const struct jobs_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct job_nodes pools[FILL_MAX_ENTRIES]; /* in the order of the plan's entries */
    struct job_stream stream;
    uint64_t source_restore;

    struct job_store store;
    struct job_list waiting, running;
    const double *drawn;
    struct distribution restore;
    struct job_saving saving;
    double overflow_s, keep_idle_s[FILL_MAX_ENTRIES], every_s[FILL_MAX_ENTRIES];
    double speed[FILL_MAX_ENTRIES];
    bool begun, over, finished, cancelled, all_came;
    bool giving, again;
    struct stream_job coming;
    struct event_id look_event;
    double begin_s, end_s;
    double idle_since_s, idle_s; /* jobs wait and not one node is held */
    uint32_t losses, restarts;
    uint64_t checkpoints;
    struct times_list waits, turnarounds;
    struct work_queue queue;
};

/* Gives nodes to those that wait, in their order, asks for what lacks, lets idle ones go; and ends
 * the queue when all is done. To be called whenever something changed. */
void jobs_give_out(struct jobs_run *r);
/* Nothing more comes of it; all nodes are given back. */
void jobs_end(struct jobs_run *r, bool finished, enum end_reason reason);
/* The job waits from now on. */
void jobs_enqueue(struct jobs_run *r, uint32_t job);
/* A running job: its work is done; it loses a node; or it is cut. */
void jobs_complete(struct jobs_run *r, uint32_t job);
void jobs_lose(struct jobs_run *r, uint32_t job);
void jobs_cut(struct jobs_run *r, uint32_t job);
/* It is preempted, and waits again. */
void jobs_leave(struct jobs_run *r, uint32_t job);
/* Logs that it never ran, or not again. */
void jobs_log_waiting(struct jobs_run *r, uint32_t job);
/* Counts a wait or a turnaround. */
void jobs_tell_time(struct jobs_run *r, struct times_list *times, double s);
/* How long all of its work takes on this way to buy, undisturbed. */
double jobs_work_here_s(const struct jobs_run *r, const struct queue_job *j, size_t entry);
/* Idle time runs while jobs wait and not one node is held; to be called when that may have changed.
 */
void jobs_track_idle(struct jobs_run *r);
/* Be called again then even if nothing changes; +infinity: no need. */
void jobs_look_at(struct jobs_run *r, double t_s);

#endif
