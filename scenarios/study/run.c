/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/run.h"

#include "engine/replications.h"
#include "engine/statistics.h"
#include "scenarios/study/oracle_world.h"
#include "scenarios/study/precision.h"
#include "scenarios/study/simulation.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* First batch of a run that stops when it is precise enough. */
#define FIRST_BATCH 500
/* An interrupted run shows a tenth of its worlds in time, but at least so many. */
#define PARTIAL_TIMELINE 50

/* What the threads share. */
struct shared {
    struct run *run;
    struct precision_target target;
    atomic_bool *interrupted; /* a world under way gives up; NULL: it does not */
    pthread_mutex_t lock;     /* of what follows */
    /* The smallest that failed: the message is the same at any --jobs. */
    uint32_t error_replication;
    char error[512];
    int worker_error; /* errno of a thread that could not be started */
};

struct worker {
    struct simulation *simulation;
    struct oracle_room *oracle;
    double *scratch; /* timeline: one bucket row per measure */
};

static void worker_free(void *context)
{
    struct worker *w = context;
    if (w != NULL) {
        simulation_free(w->simulation);
        oracle_room_free(w->oracle);
        free(w->scratch);
        free(w);
    }
}

static void *worker_new(void *context)
{
    struct shared *shared = context;
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->simulation = simulation_new(shared->run->study);
    w->oracle = oracle_room_new(shared->run->study);
    w->scratch = calloc(TIMELINE_MEASURES * (TIMELINE_MAX_BUCKETS + 1), sizeof *w->scratch);
    if (w->simulation == NULL || w->oracle == NULL || w->scratch == NULL) {
        worker_free(w);
        return NULL;
    }
    simulation_give_up(w->simulation, shared->interrupted);
    return w;
}

static bool failed(struct shared *shared, uint32_t replication, const struct simulation *s)
{
    if (shared->interrupted != NULL && atomic_load(shared->interrupted)) {
        return false; /* it gave up */
    }
    pthread_mutex_lock(&shared->lock);
    if (replication < shared->error_replication) {
        shared->error_replication = replication;
        snprintf(shared->error, sizeof shared->error, "%s", simulation_error(s));
    }
    pthread_mutex_unlock(&shared->lock);
    return false;
}

static bool replicate(void *context, void *worker, uint32_t index)
{
    struct shared *shared = context;
    struct worker *w = worker;
    struct results *r = &shared->run->results;
    if (!simulation_begin_world(w->simulation, index)) {
        return failed(shared, index, w->simulation);
    }
    for (size_t k = 0; k < r->strategies; k++) {
        struct simulation_outputs out = {.cells = results_cells(r, index, k, 0),
                                         .months = results_months(r, index, k),
                                         .by_month = results_by_month(r, index, k),
                                         .others = results_others(r, index, k),
                                         .holders = results_holders(r, index, k),
                                         .accounts = results_accounts(r, index, k),
                                         .levels =
                                             level_results_cells(&shared->run->levels, index, k)};
        if (!simulation_run_strategy(w->simulation, k, &out)) {
            return failed(shared, index, w->simulation);
        }
    }
    double *bounds = results_bounds(r, index);
    if (bounds != NULL) { /* after all else: nothing may depend on it */
        oracle_world(w->oracle, simulation_market(w->simulation), simulation_drawn(w->simulation),
                     bounds);
    }
    return true;
}

/* ---- the worlds shown in time ---- */

/* Runs one strategy once more, recording buckets into the worker's scratch. */
static bool record_strategy(struct shared *shared, struct worker *w, uint32_t index,
                            size_t strategy)
{
    const struct timeline *t = &shared->run->timeline;
    memset(w->scratch, 0, TIMELINE_MEASURES * t->buckets * sizeof *w->scratch);
    struct simulation_outputs out = {
        .buckets = t->buckets,
        .bucket_us = t->bucket_us,
        .spend_units = w->scratch + TIMELINE_SPEND * t->buckets,
        .nodes = w->scratch + TIMELINE_ON_DEMAND_NODES * t->buckets,
    };
    return simulation_run_strategy(w->simulation, strategy, &out) ||
           failed(shared, index, w->simulation);
}

static bool record(void *context, void *worker, uint32_t index)
{
    struct shared *shared = context;
    struct worker *w = worker;
    const struct timeline *t = &shared->run->timeline;
    if (!simulation_begin_world(w->simulation, index)) {
        return failed(shared, index, w->simulation);
    }
    for (size_t k = 0; k < t->strategies; k++) {
        if (!record_strategy(shared, w, index, k)) {
            return false;
        }
        for (int m = 0; m < TIMELINE_MEASURES; m++) {
            float *to = timeline_world(t, index, k, (enum timeline_measure)m);
            for (size_t b = 0; b < t->buckets; b++) {
                to[b] = (float)w->scratch[(size_t)m * t->buckets + b];
            }
        }
    }
    return true;
}

/* Runs every plan world once more; they ran before, so only memory can fail. */
static bool record_plan_worlds(struct shared *shared)
{
    struct run *run = shared->run;
    const struct timeline *t = &run->timeline;
    struct worker *w = worker_new(shared);
    bool ok = w != NULL;
    for (size_t k = 0; ok && k < t->strategies; k++) {
        if (run->plan_worlds[k] == UINT32_MAX) {
            continue;
        }
        ok = simulation_begin_world(w->simulation, run->plan_worlds[k]) &&
             record_strategy(shared, w, run->plan_worlds[k], k);
        if (ok) {
            memcpy(timeline_plan(t, k, TIMELINE_SPEND), w->scratch,
                   TIMELINE_MEASURES * t->buckets * sizeof *w->scratch);
        }
    }
    worker_free(w);
    return ok;
}

/* How many worlds are shown in time. Whoever interrupts a run does not want to wait as long again.
 */
static uint32_t worlds_in_time(const struct run *run)
{
    uint32_t n = run->results.replications;
    uint32_t most = TIMELINE_MAX_REPLICATIONS;
    if (run->partial) {
        most = n / 10 < most ? n / 10 : most;
        most = most > PARTIAL_TIMELINE ? most : PARTIAL_TIMELINE;
    }
    return n < most ? n : most;
}

static bool run_timeline(struct shared *shared, const struct replications *plan)
{
    struct run *run = shared->run;
    if (!timeline_init(&run->timeline, &run->results, run->study->frame.horizon_us,
                       worlds_in_time(run))) {
        return false;
    }
    struct replications again = *plan;
    again.replicate = record;
    again.progress = NULL;
    again.interrupted = shared->interrupted = NULL; /* short; a second Ctrl-C ends the program */
    struct replications_result result = replications_run(&again, 0, run->timeline.replications);
    shared->worker_error = result.worker_error;
    return !result.failed && record_plan_worlds(shared);
}

/* ---- the run ---- */

static double clock_s(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Asked by replications_until after n complete replications. */
static bool precise_enough(void *context, uint32_t n)
{
    struct shared *shared = context;
    struct run *run = shared->run;
    run->results.replications = n;
    run->precision_reached = precision_worst(&shared->target, &run->results);
    run->precise = run->precision_reached <= shared->target.share;
    return run->precise;
}

static struct replications_result run_replications(struct shared *shared,
                                                   const struct replications *plan)
{
    const struct study *study = shared->run->study;
    if (study->replications > 0) {
        return replications_run(plan, 0, study->replications);
    }
    uint32_t batch =
        FIRST_BATCH < study->most_replications ? FIRST_BATCH : study->most_replications;
    struct replications_result result =
        replications_until(plan, batch, study->most_replications, precise_enough, shared);
    if (result.interrupted) {
        (void)precise_enough(shared, result.complete); /* nobody asked at this number yet */
    }
    return result;
}

static bool find_plan_worlds(struct run *run)
{
    bool ok = true;
    for (size_t k = 0; ok && k < run->results.strategies; k++) {
        ok = results_plan_world(&run->results, k, &run->plan_worlds[k]);
    }
    return ok;
}

static bool simulate(struct shared *shared, const struct run_options *options)
{
    struct run *run = shared->run;
    shared->interrupted = options->interrupted;
    struct replications plan = {.shared = shared,
                                .worker_new = worker_new,
                                .worker_free = worker_free,
                                .replicate = replicate,
                                .jobs = options->jobs,
                                .interrupted = options->interrupted,
                                .progress = options->progress,
                                .progress_context = options->progress_context};
    struct replications_result result = run_replications(shared, &plan);
    run->results.replications = result.complete;
    run->partial = result.interrupted;
    shared->worker_error = result.worker_error;
    return !result.failed && find_plan_worlds(run) &&
           (result.complete == 0 || run_timeline(shared, &plan));
}

static void tell_failure(const struct shared *shared, struct diagnostics *d)
{
    if (shared->error[0] != '\0') {
        diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){0}, "%s", shared->error);
    } else if (shared->worker_error != 0 && shared->worker_error != ENOMEM) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "a thread could not be started: %s; try fewer with --jobs",
                        strerror(shared->worker_error));
    } else {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
}

static bool make_results(struct run *run)
{
    const struct study *study = run->study;
    size_t *counts = calloc(study->strategy_count + 1, sizeof *counts);
    for (size_t k = 0; counts != NULL && k < study->strategy_count; k++) {
        const struct commitment_plan *plan = &study->strategies[k].commitments;
        counts[k] = commitment_plan_accounts(plan);
    }
    run->plan_worlds = calloc(study->strategy_count, sizeof *run->plan_worlds);
    bool ok = counts != NULL && run->plan_worlds != NULL &&
              results_init(&run->results, study->strategy_count, study->workload_count,
                           study->frame.months, study->frame.others, study->most_replications) &&
              results_keep_accounts(&run->results, counts) &&
              results_keep_holders(&run->results, study->holders.count) &&
              results_keep_bounds(&run->results, study->oracle.gang_count, study->oracle.worlds);
    for (size_t k = 0; ok && k < study->strategy_count; k++) {
        counts[k] = study->strategies[k].levels.count;
    }
    ok = ok &&
         level_results_init(&run->levels, counts, study->strategy_count, study->most_replications);
    free(counts);
    return ok;
}

bool run_study(struct run *run, const struct study *study, const struct run_options *options,
               struct diagnostics *d)
{
    double cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    double wall_s = clock_s(CLOCK_MONOTONIC);
    *run = (struct run){
        .study = study, .precise = study->replications > 0, .precision_reached = (double)NAN};
    struct shared shared = {.run = run, .error_replication = UINT32_MAX};
    if (study->replications == 0 && !precision_target_from(&shared.target, study, d)) {
        return false;
    }
    if (!make_results(run)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the results");
        return false;
    }
    pthread_mutex_init(&shared.lock, NULL);
    bool ok = simulate(&shared, options);
    pthread_mutex_destroy(&shared.lock);
    if (!ok) {
        tell_failure(&shared, d);
    }
    run->cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
    run->wall_s = clock_s(CLOCK_MONOTONIC) - wall_s;
    return ok;
}

void run_release(struct run *run)
{
    results_release(&run->results);
    level_results_release(&run->levels);
    timeline_release(&run->timeline);
    free(run->plan_worlds);
    run->plan_worlds = NULL;
}
