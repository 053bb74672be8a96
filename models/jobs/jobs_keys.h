/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about many jobs on the nodes of a strategy: `kind: jobs`, which come over
 * time, and `kind: trials`, which are all there from the beginning. */
#ifndef FLEETCAST_MODELS_JOBS_KEYS_H
#define FLEETCAST_MODELS_JOBS_KEYS_H

#include "engine/inputs.h"
#include "engine/quantity.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"
#include "models/fleet/work_order.h"
#include "models/jobs/job_file.h"

#include <stdbool.h>
#include <stdint.h>

/* Most jobs of one workload in one world. */
enum { JOBS_MAX = 1000000 };

enum job_discipline { FIRST_COME, SHORTEST_FIRST, BY_PRIORITY };
enum job_backfill { BACKFILL_NONE, BACKFILL_ANY, BACKFILL_EASY };
enum jobs_saving { SAVE_AT_TIMES, SAVE_ALWAYS, SAVE_NEVER };

struct jobs_checkpoint_spec {
    int mode;               /* enum jobs_saving */
    struct number every;    /* useful work between two; word 0: auto */
    struct number write;    /* seconds */
    struct variate restore; /* seconds */
};

/* Some of the trials are given up before their end. */
struct stop_early_spec {
    struct number share; /* of the trials */
    struct number after; /* share of its work that such a trial does */
};

/* One job of `list`. */
struct listed_job_spec {
    struct schema_item item;
    const char *name;
    struct quantity at; /* from the workload's beginning */
    struct number duration, gpu_hours;
    int64_t nodes, gpus, priority, count;
};

/* `speed: {p4d.24xlarge: 2.5}` */
struct relative_speed_spec {
    struct schema_item item; /* the instance type */
    struct number factor;
};

struct jobs_spec {
    struct schema_item item;
    struct number rate;          /* of arrivals, per second */
    struct variate interarrival; /* seconds */
    struct schema_list list;     /* struct listed_job_spec */
    const char *file;
    struct place rate_place, interarrival_place, list_place, file_place;
    int64_t trials;    /* kind: trials */
    int64_t at_a_time; /* 0: as many as there is room for */
    struct stop_early_spec stop_early;
    struct variate duration;  /* seconds, of a job on its nodes */
    struct variate gpu_hours; /* of a job, in seconds */
    struct place duration_place, gpu_hours_place;
    bool duration_given, gpu_hours_given;
    int64_t nodes_each, gpus_each; /* 0: not stated */
    struct place gpus_each_place;
    struct schema_list speed; /* struct relative_speed_spec */
    int discipline;           /* enum job_discipline */
    int backfill;             /* enum job_backfill */
    struct number estimate;   /* of a duration, over the duration */
    bool preempt;
    struct place preempt_place;
    struct number overflow_after; /* seconds */
    struct number keep_idle;      /* seconds; word 0: always */
    struct jobs_checkpoint_spec checkpoint;
    bool checkpoint_on_notice;
    struct variate boot;
    struct quantity submit, until, deadline; /* until: from the start; deadline: from `submit` */
    bool until_given, deadline_given;
    struct place submit_place, until_place, deadline_place;
    struct storage_spec storage;
    struct label_spec labels;
    struct order_spec order;

    struct job_rows rows; /* of `file`, read before planning */
};
extern const struct schema jobs_schema, trials_schema; /* variants "jobs" and "trials" of `kind` */

#endif
