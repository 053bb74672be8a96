/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/world_runs.h"

#include "scenarios/study/oracle_world.h"
#include "scenarios/study/simulation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- room ---- */

bool world_results_init(struct results *r, const struct study *study, uint32_t capacity)
{
    size_t *counts = calloc(study->strategy_count + 1, sizeof *counts);
    for (size_t k = 0; counts != NULL && k < study->strategy_count; k++) {
        counts[k] = commitment_plan_accounts(&study->strategies[k].commitments);
    }
    *r = (struct results){0};
    bool ok = counts != NULL &&
              results_init(r, study->strategy_count, study->workload_count, study->frame.months,
                           study->frame.others, capacity) &&
              results_keep_accounts(r, counts) && results_keep_holders(r, study->holders.count);
    free(counts);
    return ok;
}

/* ---- one thread ---- */

struct worker {
    struct simulation *simulation;
    struct oracle_room *oracle; /* NULL: hindsight is not asked */
    struct hour_log *hours;     /* NULL: nothing is told of hours */
};

static void worker_free(void *context)
{
    struct worker *w = context;
    if (w != NULL) {
        simulation_free(w->simulation);
        oracle_room_free(w->oracle);
        hour_log_free(w->hours);
        free(w);
    }
}

static void *worker_new(void *context)
{
    const struct world_batch *b = context;
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    const bool asks = b->results->bound_worlds > 0;
    w->simulation = simulation_new(b->study);
    w->oracle = asks ? oracle_room_new(b->study) : NULL;
    const bool hourly = b->hours != NULL && b->hours->any;
    w->hours = hourly ? hour_results_log(b->hours) : NULL;
    if (w->simulation == NULL || (asks && w->oracle == NULL) || (hourly && w->hours == NULL)) {
        worker_free(w);
        return NULL;
    }
    simulation_give_up(w->simulation, b->interrupted);
    return w;
}

bool world_batch_failed(struct world_batch *b, uint32_t slot, const struct simulation *s)
{
    if (b->interrupted != NULL && atomic_load(b->interrupted)) {
        return false; /* it gave up */
    }
    pthread_mutex_lock(&b->lock);
    if (slot < b->error_slot) {
        b->error_slot = slot;
        snprintf(b->error, sizeof b->error, "%s", simulation_error(s));
    }
    pthread_mutex_unlock(&b->lock);
    return false;
}

/* What was kept of the one strategy in this world, at other levels of its commitments. */
static bool rate_kept(struct world_batch *b, struct simulation *s, uint32_t slot,
                      const struct kept_usage *kept)
{
    for (size_t k = 0; k < b->results->strategies; k++) {
        if (b->strategies[k] &&
            !simulation_rate_kept(s, k, kept, level_results_cells(b->levels, slot, k))) {
            return world_batch_failed(b, slot, s);
        }
    }
    return true;
}

static bool replicate(void *context, void *worker, uint32_t slot)
{
    struct world_batch *b = context;
    struct worker *w = worker;
    const struct results *r = b->results;
    if (!simulation_begin_world(w->simulation, b->first + slot)) {
        return world_batch_failed(b, slot, w->simulation);
    }
    if (b->kept != NULL && b->kept->of[slot].is_there) {
        return rate_kept(b, w->simulation, slot, &b->kept->of[slot]);
    }
    for (size_t k = 0; k < r->strategies; k++) {
        if (b->strategies != NULL && !b->strategies[k]) {
            continue;
        }
        struct simulation_outputs out = {
            .cells = results_cells(r, slot, k, 0),
            .months = results_months(r, slot, k),
            .by_month = results_by_month(r, slot, k),
            .others = results_others(r, slot, k),
            .holders = results_holders(r, slot, k),
            .accounts = results_accounts(r, slot, k),
            .hours = w->hours,
            .levels = b->levels == NULL ? NULL : level_results_cells(b->levels, slot, k)};
        if (!simulation_run_strategy(w->simulation, k, &out)) {
            return world_batch_failed(b, slot, w->simulation);
        }
        if (b->kept != NULL) {
            simulation_keep(w->simulation, b->kept, slot);
        }
        if (w->hours != NULL) {
            pthread_mutex_lock(&b->lock);
            hour_results_add(b->hours, k, w->hours);
            pthread_mutex_unlock(&b->lock);
        }
    }
    double *bounds = results_bounds(r, slot);
    if (bounds != NULL) { /* after all else: nothing may depend on it */
        oracle_world(w->oracle, simulation_market(w->simulation), simulation_drawn(w->simulation),
                     bounds);
    }
    return true;
}

/* ---- a batch ---- */

void world_batch_init(struct world_batch *b, const struct study *study, struct results *results)
{
    *b = (struct world_batch){.study = study, .results = results, .error_slot = UINT32_MAX};
    pthread_mutex_init(&b->lock, NULL);
}

void world_batch_release(struct world_batch *b)
{
    pthread_mutex_destroy(&b->lock);
}

struct replications world_batch_plan(struct world_batch *b, const struct run_options *options)
{
    b->interrupted = options->interrupted;
    return (struct replications){.shared = b,
                                 .worker_new = worker_new,
                                 .worker_free = worker_free,
                                 .replicate = replicate,
                                 .jobs = options->jobs,
                                 .interrupted = options->interrupted,
                                 .progress = options->progress,
                                 .progress_context = options->progress_context};
}

void world_batch_tell(const struct world_batch *b, struct diagnostics *d)
{
    if (b->error[0] != '\0') {
        diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){0}, "%s", b->error);
    } else if (b->worker_error != 0 && b->worker_error != ENOMEM) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "a thread could not be started: %s; try fewer with --jobs",
                        strerror(b->worker_error));
    } else {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
}

bool world_runs(struct results *r, const struct study *study, const struct world_request *q,
                const struct run_options *options, uint32_t *complete, struct diagnostics *d)
{
    struct world_batch b;
    world_batch_init(&b, study, r);
    b.first = q->first;
    b.strategies = q->strategies;
    const struct replications plan = world_batch_plan(&b, options);
    const struct replications_result result = replications_run(&plan, q->from, q->count);
    b.worker_error = result.worker_error;
    *complete = result.complete;
    r->replications = q->from + result.complete;
    if (result.failed) {
        world_batch_tell(&b, d);
    }
    world_batch_release(&b);
    return !result.failed;
}
