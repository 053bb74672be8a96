/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs replications over threads: one atomic counter, each result in its own slot, so that nothing
 * depends on which thread ran what. */
#ifndef FLEETCAST_ENGINE_REPLICATIONS_H
#define FLEETCAST_ENGINE_REPLICATIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replications {
    void *shared; /* read only for the workers */
    /* What one thread needs for itself, made and freed in that thread; NULL = out of memory. Called
     * anew for each batch of replications_until. */
    void *(*worker_new)(void *shared);
    void (*worker_free)(void *worker);
    /* Computes replication `index` into its own slot. False on failure: all stops. Once
     * `interrupted` is set false means that it gave up, which is no failure. */
    bool (*replicate)(void *shared, void *worker, uint32_t index);
    int jobs; /* threads, 1 to REPLICATIONS_JOBS_LIMIT (clamped); 1 = in the calling thread */
    /* Set from a signal handler; may be NULL. Replications under way are finished, or give up, as
     * they like; no other is begun. Signals stay with the calling thread. */
    atomic_bool *interrupted;
    /* May be NULL. Called from the calling thread only, about 10 times a second and once at the
     * end; total is the end of the present batch. */
    void (*progress)(void *progress_context, uint32_t done, uint32_t total);
    void *progress_context;
};

#define REPLICATIONS_JOBS_LIMIT 1024

struct replications_result {
    uint32_t complete;     /* length of the longest prefix, from `first`, that is complete */
    bool failed;           /* a replication failed or a worker could not be made */
    bool interrupted;      /* stopped with replications left to run */
    uint32_t failed_index; /* the smallest that failed: the same at any number of threads;
                              UINT32_MAX when none did */
    int worker_error;      /* errno when a thread or its worker could not be made, else 0 */
};

/* Runs indices first … first + count - 1. */
struct replications_result replications_run(const struct replications *r, uint32_t first,
                                            uint32_t count);

/* From index 0 until enough(context, n) holds, asked when all replications below n are complete,
 * for n = batch, 2 batch, 4 batch …, and last for `most`, where it ends in any case. The same at
 * any number of threads. enough is called from the calling thread, when no worker runs. */
struct replications_result replications_until(const struct replications *r, uint32_t batch,
                                              uint32_t most,
                                              bool (*enough)(void *context, uint32_t n),
                                              void *context);

#endif
