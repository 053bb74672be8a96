/* SPDX-License-Identifier: GPL-3.0-or-later
 * The jobs of a workload in one world, one after the other as they come: a function of seed,
 * replication and the workload's name, so that every strategy has the same jobs. The k-th job draws
 * its size, and the k-th gap its length, at index k of sources of their own. */
#ifndef FLEETCAST_MODELS_JOB_STREAM_H
#define FLEETCAST_MODELS_JOB_STREAM_H

#include "engine/distribution.h"
#include "engine/random.h"
#include "models/jobs/jobs_plan.h"

#include <stdbool.h>
#include <stdint.h>

struct stream_job {
    const char *name; /* "" : none */
    uint32_t ordinal;
    double submit_s;
    double duration_s, gpu_s; /* of the reference; NaN: the other is stated */
    uint32_t nodes, gpus;     /* as stated; 0: not */
    int64_t priority;
    bool gives_up; /* stopped early: what it does of its work is in the amounts above already */
};

struct job_stream {
    const struct jobs_plan *plan;
    struct random_world world;
    uint64_t source_gap, source_size, source_stop;
    const double *drawn;
    struct distribution gap, duration, gpu_hours;
    double begin_s, slip_s, grow;
    double at_s;         /* of the last arrival at random */
    uint32_t next;       /* ordinal */
    uint32_t item, copy; /* of list or file */
};

/* Once; borrows the plan. */
void job_stream_init(struct job_stream *s, const struct jobs_plan *plan);
/* For a new world. False when a drawn number is impossible. */
bool job_stream_draw(struct job_stream *s, struct random_world world, const double *drawn);
/* The workload begins. */
void job_stream_begin(struct job_stream *s, double begin_s);
/* False when none comes any more. */
bool job_stream_next(struct job_stream *s, struct stream_job *job);

#endif
