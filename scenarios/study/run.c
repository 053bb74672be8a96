/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/run.h"

#include "engine/replications.h"
#include "engine/statistics.h"
#include "scenarios/study/precision.h"
#include "scenarios/study/simulation.h"
#include "scenarios/study/world_runs.h"

#include <math.h>
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
    struct world_batch batch;
};

/* ---- the worlds shown in time ---- */

struct recorder {
    struct simulation *simulation;
    double *scratch; /* one bucket row per measure */
};

static void recorder_free(void *context)
{
    struct recorder *w = context;
    if (w != NULL) {
        simulation_free(w->simulation);
        free(w->scratch);
        free(w);
    }
}

static void *recorder_new(void *context)
{
    const struct shared *shared = context;
    struct recorder *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->simulation = simulation_new(shared->run->study);
    w->scratch = calloc(TIMELINE_MEASURES * (TIMELINE_MAX_BUCKETS + 1), sizeof *w->scratch);
    if (w->simulation == NULL || w->scratch == NULL) {
        recorder_free(w);
        return NULL;
    }
    return w;
}

/* Runs one strategy once more, recording buckets into the worker's scratch. */
static bool record_strategy(struct shared *shared, struct recorder *w, uint32_t index,
                            size_t strategy)
{
    const struct timeline *t = &shared->run->timeline;
    const struct timeline_frame frame = t->frames[strategy];
    memset(w->scratch, 0, TIMELINE_MEASURES * frame.buckets * sizeof *w->scratch);
    struct simulation_outputs out = {
        .buckets = frame.buckets,
        .bucket_us = frame.bucket_us,
        .spend_units = w->scratch + TIMELINE_SPEND * frame.buckets,
        .nodes = w->scratch + TIMELINE_ON_DEMAND_NODES * frame.buckets,
    };
    return simulation_run_strategy(w->simulation, strategy, &out) ||
           world_batch_failed(&shared->batch, index, w->simulation);
}

static bool record(void *context, void *worker, uint32_t index)
{
    struct shared *shared = context;
    struct recorder *w = worker;
    const struct timeline *t = &shared->run->timeline;
    if (!simulation_begin_world(w->simulation, index)) {
        return world_batch_failed(&shared->batch, index, w->simulation);
    }
    for (size_t k = 0; k < t->strategies; k++) {
        if (!record_strategy(shared, w, index, k)) {
            return false;
        }
        for (int m = 0; m < TIMELINE_MEASURES; m++) {
            const size_t buckets = t->frames[k].buckets;
            float *to = timeline_world(t, index, k, (enum timeline_measure)m);
            for (size_t b = 0; b < buckets; b++) {
                to[b] = (float)w->scratch[(size_t)m * buckets + b];
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
    struct recorder *w = recorder_new(shared);
    bool ok = w != NULL;
    for (size_t k = 0; ok && k < t->strategies; k++) {
        if (run->plan_worlds[k] == UINT32_MAX) {
            continue;
        }
        ok = simulation_begin_world(w->simulation, run->plan_worlds[k]) &&
             record_strategy(shared, w, run->plan_worlds[k], k);
        const size_t buckets = t->frames[k].buckets;
        for (int m = 0; ok && m < TIMELINE_MEASURES; m++) {
            memcpy(timeline_plan(t, k, (enum timeline_measure)m), w->scratch + (size_t)m * buckets,
                   buckets * sizeof *w->scratch);
        }
    }
    recorder_free(w);
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

static bool run_timeline(struct shared *shared, int jobs)
{
    struct run *run = shared->run;
    if (!timeline_init(&run->timeline, &run->results, run->study->frame.horizon_us,
                       worlds_in_time(run))) {
        return false;
    }
    /* Short, and so not interrupted; a second Ctrl-C ends the program. */
    const struct replications again = {.shared = shared,
                                       .worker_new = recorder_new,
                                       .worker_free = recorder_free,
                                       .replicate = record,
                                       .jobs = jobs};
    shared->batch.interrupted = NULL;
    struct replications_result result = replications_run(&again, 0, run->timeline.replications);
    shared->batch.worker_error = result.worker_error;
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
    const struct shared *shared = context;
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
    const struct replications plan = world_batch_plan(&shared->batch, options);
    struct replications_result result = run_replications(shared, &plan);
    run->results.replications = result.complete;
    run->partial = result.interrupted;
    shared->batch.worker_error = result.worker_error;
    return !result.failed && find_plan_worlds(run) &&
           (result.complete == 0 || run_timeline(shared, options->jobs));
}

static bool make_results(struct run *run)
{
    const struct study *study = run->study;
    size_t *levels = calloc(study->strategy_count + 1, sizeof *levels);
    for (size_t k = 0; levels != NULL && k < study->strategy_count; k++) {
        levels[k] = study->strategies[k].levels.count;
    }
    run->plan_worlds = calloc(study->strategy_count, sizeof *run->plan_worlds);
    bool ok =
        levels != NULL && run->plan_worlds != NULL &&
        world_results_init(&run->results, study, study->most_replications) &&
        results_keep_bounds(&run->results, study->oracle.gang_count, study->oracle.worlds) &&
        level_results_init(&run->levels, levels, study->strategy_count, study->most_replications) &&
        hour_results_init(&run->hours, study);
    free(levels);
    return ok;
}

/* Afterwards, so that nothing else of a run depends on it. */
static bool choose(struct run *run, const struct run_options *options, struct diagnostics *d)
{
    const struct study *study = run->study;
    const bool asked = study->choice.given;
    if (run->results.replications == 0) {
        return true;
    }
    if ((asked && !choice_make(&run->choice, study, &run->results)) ||
        !limit_checks_make(&run->limits, study, &run->results, asked ? &run->choice : NULL)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the choice");
        return false;
    }
    return !asked || run->partial || choice_judge(&run->choice, study, options, d);
}

bool run_study(struct run *run, const struct study *study, const struct run_options *options,
               struct diagnostics *d)
{
    double cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    double wall_s = clock_s(CLOCK_MONOTONIC);
    *run = (struct run){
        .study = study, .precise = study->replications > 0, .precision_reached = (double)NAN};
    struct shared shared = {.run = run};
    if (study->replications == 0 && !precision_target_from(&shared.target, study, d)) {
        return false;
    }
    if (!make_results(run)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the results");
        return false;
    }
    world_batch_init(&shared.batch, study, &run->results);
    shared.batch.levels = &run->levels;
    shared.batch.hours = &run->hours;
    shared.batch.interrupted = options->interrupted;
    bool ok = simulate(&shared, options);
    if (!ok) {
        world_batch_tell(&shared.batch, d);
    }
    world_batch_release(&shared.batch);
    ok = ok && choose(run, options, d);
    run->cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
    run->wall_s = clock_s(CLOCK_MONOTONIC) - wall_s;
    return ok;
}

void run_release(struct run *run)
{
    results_release(&run->results);
    level_results_release(&run->levels);
    timeline_release(&run->timeline);
    hour_results_release(&run->hours);
    choice_release(&run->choice);
    limit_checks_release(&run->limits);
    free(run->plan_worlds);
    run->plan_worlds = NULL;
}
