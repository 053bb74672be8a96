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
    void *shared;                                  /* read only for the workers */
    void *(*worker_new)(void *shared);             /* one per thread; NULL = out of memory */
    void (*worker_free)(void *worker);
    /* Computes replication `index` into its own slot. False on failure: all stops. */
    bool (*replicate)(void *shared, void *worker, uint32_t index);
    int jobs;                                      /* threads; 1 = in the calling thread */
    atomic_bool *interrupted;                      /* set from a signal handler; may be NULL */
    void (*progress)(void *progress_context, uint32_t done, uint32_t total); /* called from the
                                                      calling thread only, about 10 times a second */
    void *progress_context;
};

struct replications_result {
    uint32_t complete;   /* length of the longest prefix, from `first`, that is complete */
    bool failed;         /* a replication failed or a worker could not be made */
    bool interrupted;
    uint32_t failed_index;
};

/* Runs indices first … first + count - 1. */
struct replications_result replications_run(const struct replications *r, uint32_t first,
                                            uint32_t count);

/* Until enough(context, n) holds, asked after 0 + batch, then after each doubling of the total (in
 * replication order, complete batches only), up to `most`. The same at any number of threads. */
struct replications_result replications_until(const struct replications *r, uint32_t batch,
                                              uint32_t most,
                                              bool (*enough)(void *context, uint32_t n),
                                              void *context);

#endif
