/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_keys.h"

#include "models/fleet/crew.h"

#include <stddef.h>

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

static const char *const discipline_names[] = {"first-come", "shortest", "priority", NULL};
static const char *const backfill_names[] = {"no", "yes", "easy", NULL};
static const char *const saving_names[] = {"periodic", "continuous", "none", NULL};
static const char *const every_words[] = {"auto", NULL};
static const char *const idle_words[] = {"always", NULL};

_Static_assert(FIRST_COME == 0 && SAVE_AT_TIMES == 0 && BACKFILL_NONE == 0,
               "the names are indexed by their enums");

/* ---- parts of a job ------------------------------------------------------------------------- */

#define SAVE(member) offsetof(struct jobs_checkpoint_spec, member)

static const struct schema_key save_keys[] = {
    {.name = "mode",
     .kind = SCHEMA_CHOICE,
     .choices = saving_names,
     .default_text = "periodic",
     .offset = SAVE(mode),
     .help = "`periodic`; `continuous`: no work is ever lost; `none`: a job that loses a node "
             "starts all over again."},
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 10 * YEAR_S,
     .choices = every_words,
     .default_text = "auto",
     .offset = SAVE(every),
     .help = "Useful work between two checkpoints of a job; `auto`: the optimum for the planned "
             "rate of losing a node of it, listed under \"assumed\"."},
    {.name = "write",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = SAVE(write),
     .help = "Time for which the job stands still while one is written."},
    {.name = "restore",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = SAVE(restore),
     .help = "Time to load one before the job goes on after a loss."},
};

static const struct schema save_schema = {
    .name = "jobs.checkpoint",
    .shorthand = "mode",
    SCHEMA_KEYS(save_keys),
    .size = sizeof(struct jobs_checkpoint_spec),
    .help = "How the work of a job is kept when it loses a node; a mode alone may stand in its "
            "place.",
};

static const struct schema_key stop_keys[] = {
    {.name = "share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = offsetof(struct stop_early_spec, share),
     .help = "Share of the trials that are given up; each is by chance."},
    {.name = "after",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = offsetof(struct stop_early_spec, after),
     .help = "Share of its duration after which such a trial is given up."},
};

static const struct schema stop_schema = {
    .name = "trials.stop_early",
    SCHEMA_KEYS(stop_keys),
    .size = sizeof(struct stop_early_spec),
    .help = "Trials that are given up early, since they do worse than others.",
};

#define LISTED(member) offsetof(struct listed_job_spec, member)

static const struct schema_key listed_keys[] = {
    {.name = "name",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = LISTED(name),
     .help = "What jobs.csv calls it."},
    {.name = "at",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * YEAR_S,
     .default_text = "0s",
     .offset = LISTED(at),
     .help = "When it comes, counted from the beginning of the workload."},
    {.name = "duration",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 10 * YEAR_S,
     .offset = LISTED(duration),
     .help = "How long it takes on its nodes undisturbed."},
    {.name = "gpu_hours",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e9,
     .offset = LISTED(gpu_hours),
     .help = "In place of `duration`: its work in GPU-hours."},
    {.name = "nodes",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = CREW_MAX_NODES,
     .offset = LISTED(nodes),
     .help = "Nodes that it needs at once; default: as `nodes_each` says."},
    {.name = "gpus",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 16 * CREW_MAX_NODES,
     .offset = LISTED(gpus),
     .help = "In place of `nodes`: GPUs that it needs at once."},
    {.name = "priority",
     .kind = SCHEMA_INTEGER,
     .low = -1000000000,
     .high = 1000000000,
     .default_text = "0",
     .offset = LISTED(priority),
     .help = "For `order: priority`: the higher the sooner."},
    {.name = "count",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = JOBS_MAX,
     .default_text = "1",
     .offset = LISTED(count),
     .help = "So many alike."},
};

static const struct schema listed_schema = {
    .name = "jobs.list",
    SCHEMA_KEYS(listed_keys),
    .size = sizeof(struct listed_job_spec),
    .help = "A job, or several alike.",
};

static const struct schema_key speed_keys[] = {
    {.name = "factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1e-6,
     .high = 1e6,
     .required = true,
     .offset = offsetof(struct relative_speed_spec, factor),
     .help = "Durations and GPU-hours are divided by it."},
};

static const struct schema speed_schema = {
    .name = "jobs.speed",
    .shorthand = "factor",
    SCHEMA_KEYS(speed_keys),
    .size = sizeof(struct relative_speed_spec),
    .help = "How fast an instance type does the jobs, beside the one that durations are stated "
            "for.",
};

/* ---- what both kinds say -------------------------------------------------------------------- */

#define JOBS(member) offsetof(struct jobs_spec, member)

#define JOB_SIZE_KEYS                                                                              \
    {.name = "duration",                                                                           \
     .kind = SCHEMA_VARIATE,                                                                       \
     .dimension = DIMENSION_TIME,                                                                  \
     .low = 0,                                                                                     \
     .high = 10 * YEAR_S,                                                                          \
     .offset = JOBS(duration),                                                                     \
     .place_offset = JOBS(duration_place),                                                         \
     .given_offset = JOBS(duration_given),                                                         \
     .help = "How long one takes on its nodes undisturbed; drawn anew for each."},                 \
        {.name = "gpu_hours",                                                                      \
         .kind = SCHEMA_VARIATE,                                                                   \
         .dimension = DIMENSION_COUNT,                                                             \
         .low = 0,                                                                                 \
         .high = 1e9,                                                                              \
         .offset = JOBS(gpu_hours),                                                                \
         .place_offset = JOBS(gpu_hours_place),                                                    \
         .given_offset = JOBS(gpu_hours_given),                                                    \
         .help = "In place of `duration`: the work of one in GPU-hours; drawn anew for each."},    \
        {.name = "nodes_each",                                                                     \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = CREW_MAX_NODES,                                                                   \
         .offset = JOBS(nodes_each),                                                               \
         .help = "Nodes that one needs at once, all in one zone; default: 1."},                    \
        {.name = "gpus_each",                                                                      \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = 16 * CREW_MAX_NODES,                                                              \
         .offset = JOBS(gpus_each),                                                                \
         .place_offset = JOBS(gpus_each_place),                                                    \
         .help =                                                                                   \
             "In place of `nodes_each`: GPUs that one needs at once. Those that need less than "   \
             "a node share one; others take whole nodes."},                                        \
    {                                                                                              \
        .name = "speed", .kind = SCHEMA_MAP, .inner = &speed_schema, .offset = JOBS(speed),        \
        .help = "Relative speed of instance types: `{p4d.24xlarge: 2.5}`; default: 1."             \
    }

#define JOB_RUN_KEYS                                                                               \
    {.name = "overflow_after",                                                                     \
     .kind = SCHEMA_NUMBER,                                                                        \
     .dimension = DIMENSION_TIME,                                                                  \
     .low = 0,                                                                                     \
     .high = 10 * YEAR_S,                                                                          \
     .default_text = "0s",                                                                         \
     .offset = JOBS(overflow_after),                                                               \
     .help = "How long one waits for the first way to buy of the strategy's `fill` before it may " \
             "run on the others."},                                                                \
        {.name = "keep_idle",                                                                      \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_TIME,                                                              \
         .low = 0,                                                                                 \
         .high = 10 * YEAR_S,                                                                      \
         .choices = idle_words,                                                                    \
         .default_text = "10min",                                                                  \
         .offset = JOBS(keep_idle),                                                                \
         .help = "How long a node without work is kept; `always`: all nodes of the first way to "  \
                 "buy run from the beginning to the last job's end, the others go at once."},      \
        {.name = "checkpoint",                                                                     \
         .kind = SCHEMA_SECTION,                                                                   \
         .inner = &save_schema,                                                                    \
         .default_text = "none",                                                                   \
         .offset = JOBS(checkpoint),                                                               \
         .help = "How the work of one is kept: `continuous`, `none`, or a section. Default: "      \
                 "`none`."},                                                                       \
        {.name = "checkpoint_on_notice",                                                           \
         .kind = SCHEMA_FLAG,                                                                      \
         .default_text = "no",                                                                     \
         .offset = JOBS(checkpoint_on_notice),                                                     \
         .help = "One is written at the notice of an interruption; it counts if the write fits."}, \
        {.name = "boot",                                                                           \
         .kind = SCHEMA_VARIATE,                                                                   \
         .dimension = DIMENSION_TIME,                                                              \
         .low = 0,                                                                                 \
         .high = 30 * DAY_S,                                                                       \
         .default_text = "3min",                                                                   \
         .offset = JOBS(boot),                                                                     \
         .help = "Time from a node's launch to its being ready."},                                 \
        {.name = "submit",                                                                         \
         .kind = SCHEMA_QUANTITY,                                                                  \
         .dimension = DIMENSION_SPAN,                                                              \
         .low = 0,                                                                                 \
         .high = 10 * YEAR_S,                                                                      \
         .default_text = "0s",                                                                     \
         .offset = JOBS(submit),                                                                   \
         .place_offset = JOBS(submit_place),                                                       \
         .help = "When it begins, counted from the scenario's start; with `after` no earlier."},   \
        {.name = "deadline",                                                                       \
         .kind = SCHEMA_QUANTITY,                                                                  \
         .dimension = DIMENSION_SPAN,                                                              \
         .low = 1,                                                                                 \
         .high = 10 * YEAR_S,                                                                      \
         .offset = JOBS(deadline),                                                                 \
         .place_offset = JOBS(deadline_place),                                                     \
         .given_offset = JOBS(deadline_given),                                                     \
         .help = "When the last of them has to be done, counted from `submit`."},                  \
        STORAGE_KEYS(struct jobs_spec),                                                            \
        LABEL_KEY_OWNER(JOBS(labels), "Whose they are: split.csv splits the cost by owner."),      \
        LABEL_KEY_TAGS(JOBS(labels)), ORDER_KEYS(JOBS(order))

/* ---- the kinds ------------------------------------------------------------------------------ */

static const struct schema_key jobs_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e3,
     .offset = JOBS(rate),
     .place_offset = JOBS(rate_place),
     .help = "How many come, at random (a Poisson process): `4/h`. Exactly one of `rate`, "
             "`interarrival`, `list` and `file` is given."},
    {.name = "interarrival",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 10 * YEAR_S,
     .offset = JOBS(interarrival),
     .place_offset = JOBS(interarrival_place),
     .help = "Time from one job to the next, drawn anew each time."},
    {.name = "list",
     .kind = SCHEMA_LIST,
     .inner = &listed_schema,
     .list_or_one = true,
     .low = 1,
     .high = 10000,
     .offset = JOBS(list),
     .place_offset = JOBS(list_place),
     .help = "The jobs one by one."},
    {.name = "file",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 1024,
     .offset = JOBS(file),
     .place_offset = JOBS(file_place),
     .help = "The jobs from a CSV file with the columns `submitted` and `duration_s` or "
             "`gpu_hours`, and perhaps `name`, `nodes`, `gpus`, `priority`."},
    {.name = "until",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * YEAR_S,
     .offset = JOBS(until),
     .place_offset = JOBS(until_place),
     .given_offset = JOBS(until_given),
     .help =
         "When the last of them may come, counted from the scenario's start, with `after` "
         "from the beginning of the workload, so that all strategies have the same jobs; needed "
         "with `rate` and `interarrival`, before the horizon, so that all can be done."},
    {.name = "order",
     .kind = SCHEMA_CHOICE,
     .choices = discipline_names,
     .default_text = "first-come",
     .offset = JOBS(discipline),
     .help = "Who runs next: `first-come`; `shortest`: the shortest duration, taken to be known "
             "when a job comes; `priority`."},
    {.name = "backfill",
     .kind = SCHEMA_CHOICE,
     .choices = backfill_names,
     .default_text = "no",
     .offset = JOBS(backfill),
     .help = "Jobs behind one for which there is no room may run if there is room for them: `yes`, "
             "whatever becomes of it, so that a wide job may wait for long; `easy`, only such as "
             "do not put off the earliest time at which the first that waits can run."},
    {.name = "estimate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1000,
     .default_text = "1",
     .offset = JOBS(estimate),
     .help = "For `backfill: easy`: how long jobs are said to take when they are handed in, in how "
             "long they take; the median counts."},
    {.name = "preempt",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = JOBS(preempt),
     .place_offset = JOBS(preempt_place),
     .help = "With `order: priority`: a job for which there is no room takes the nodes of running "
             "ones of lower priority, which write a checkpoint first, if they write any, and wait "
             "again."},
    JOB_SIZE_KEYS,
    JOB_RUN_KEYS,
};

const struct schema jobs_schema = {
    .name = "jobs",
    .tag = "kind",
    SCHEMA_KEYS(jobs_keys),
    .size = sizeof(struct jobs_spec),
    .help = "A queue of jobs that come over time and run on the strategy's nodes.",
};

static const struct schema_key trials_keys[] = {
    {.name = "trials",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = JOBS_MAX,
     .required = true,
     .offset = JOBS(trials),
     .help = "How many there are."},
    {.name = "at_a_time",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = CREW_MAX_NODES,
     .offset = JOBS(at_a_time),
     .help = "How many run at a time at most; default: as many as the strategy's nodes hold."},
    {.name = "stop_early",
     .kind = SCHEMA_SECTION,
     .inner = &stop_schema,
     .default_text = "{share: 0 %, after: 100 %}",
     .offset = JOBS(stop_early),
     .help = "Trials that are given up: `{share: 50 %, after: 30 %}`; default: none."},
    JOB_SIZE_KEYS,
    JOB_RUN_KEYS,
};

const struct schema trials_schema = {
    .name = "trials",
    .tag = "kind",
    SCHEMA_KEYS(trials_keys),
    .size = sizeof(struct jobs_spec),
    .help = "Repeated trials, such as a sweep of hyper-parameters: all are there from the "
            "beginning, and so many run at a time.",
};
