/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs worlds of a study over threads, into results: any worlds, under all of its strategies or
 * some. Nothing depends on the number of threads, on which worlds ran before, or on which other
 * strategies run beside. */
#ifndef FLEETCAST_SCENARIOS_WORLD_RUNS_H
#define FLEETCAST_SCENARIOS_WORLD_RUNS_H

#include "engine/diagnostics.h"
#include "engine/replications.h"
#include "scenarios/study/hour_results.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct simulation;

struct run_options {
    int jobs;                                                       /* threads */
    atomic_bool *interrupted;                                       /* may be NULL */
    void (*progress)(void *context, uint32_t done, uint32_t total); /* may be NULL */
    void *progress_context;
};

/* Room for `capacity` worlds under all strategies of the study, their commitments and holders among
 * it; bounds of hindsight are left out (results_keep_bounds). Memory that no world ever fills is
 * not taken. False when out of memory; results_release is due either way. */
bool world_results_init(struct results *r, const struct study *study, uint32_t capacity);

/* Which worlds, and under what. */
struct world_request {
    uint32_t first;         /* id of the world in slot 0, such as RANDOM_FIRST_JUDGE */
    uint32_t from, count;   /* slots that are filled: from … from + count - 1 */
    const bool *strategies; /* by strategy: whether it runs; NULL: all. The slots of the others stay
                               as they are */
};

/* Runs them into r, of world_results_init. *complete: how many of the slots from `from` on are
 * filled: all, unless interrupted, which is no failure. r->replications becomes from + *complete;
 * with a selection of strategies that says nothing of those that did not run. False when it failed
 * (told in d). */
bool world_runs(struct results *r, const struct study *study, const struct world_request *q,
                const struct run_options *options, uint32_t *complete, struct diagnostics *d)
    __attribute__((warn_unused_result));

/* ---- for callers with a loop of their own ---- */

/* What the threads share. */
struct world_batch {
    const struct study *study;
    struct results *results;
    struct level_results *levels; /* NULL: commitments are not rated at other levels */
    struct hour_results *hours;   /* NULL: services are not told hour by hour */
    const bool *strategies;       /* as above */
    struct kept_worlds *kept;     /* usage by slot, of the one strategy that runs: kept when a world
                                     runs for the first time, then rated at the levels again, which
                                     is all that the world fills then; NULL: nothing is kept */
    uint32_t first;
    atomic_bool *interrupted; /* a world under way gives up; NULL: it does not */
    int worker_error;         /* errno of a thread that could not be started; set by the caller */
    pthread_mutex_t lock;     /* of what follows */
    uint32_t error_slot;      /* the smallest that failed: the message is the same at any --jobs */
    char error[512];
};

/* Both borrowed; world_batch_release is due. What is left out here is zero. */
void world_batch_init(struct world_batch *b, const struct study *study, struct results *results);
void world_batch_release(struct world_batch *b);
/* For replications_run and replications_until, whose indices are slots. */
struct replications world_batch_plan(struct world_batch *b, const struct run_options *options);
/* Notes why the simulation failed in this slot, unless it gave up; false, for the caller to return.
 * For a `replicate` of the caller's own. */
bool world_batch_failed(struct world_batch *b, uint32_t slot, const struct simulation *s);
/* Says why a run failed. */
void world_batch_tell(const struct world_batch *b, struct diagnostics *d);

#endif
