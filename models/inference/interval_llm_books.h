/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is kept of a service of a language model in steps of time (interval_llm), and how latencies
 * and tokens are made of it: requests are counted by the cell of the table whose law they have, and
 * by the time that they waited for full replicas; their latencies are made once, at the end of the
 * world, or of a bucket of the log. */
#ifndef FLEETCAST_MODELS_INTERVAL_LLM_BOOKS_H
#define FLEETCAST_MODELS_INTERVAL_LLM_BOOKS_H

#include "models/inference/interval_state.h"

/* What becomes of requests of a cell in this world. */
struct cell_law {
    double within;    /* share of all that comes: served within the objectives */
    double timed_out; /* share: waits longer than it would */
    double waits;     /* share of all: is not admitted at once, and not given up */
};

/* A row of the table for a number of replicas. */
struct row_values {
    /* As of struct llm_cell. */
    double in_flight, waiting, busy, active, cache_tokens, spread, e2e_s, drain_s;
    double memory_s; /* with the world's factor */
    struct interval_load_step noise;
};

/* Requests by their law. */
struct cell_weights {
    double of[LLM_TABLE_COUNTS][LLM_TABLE_LOADS];
};

struct interval_llm {
    const struct llm_table *table;
    /* Of this world. */
    double factor;                                  /* on all times of the table */
    double kv_tokens, token_memory, weights_memory; /* of a replica; of a token and of the weights:
                                                       share of its accelerators' memory */
    struct cell_law laws[LLM_TABLE_COUNTS][LLM_TABLE_LOADS];
    double slack_s[LLM_TABLE_SAMPLES]; /* of a full replica's: how long each may wait, rising */
    double spare[LLM_TABLE_SAMPLES];
    struct cell_weights weights, logged; /* measured requests; those of the log's bucket */
    double within, taken; /* of those measured, and all of them that began to be served */
    double inside;        /* N */
    double noise;         /* of the number in flight, in its standard deviations */
    double evicted;
    /* Of the step; the rows, and what is made of them, are kept while the replicas are as many. */
    struct llm_row row;
    struct row_values at[LLM_TABLE_LOADS];
    double length_s;      /* that steps of noise are for; 0: of none */
    double replicas, cap; /* cap: in flight of a replica, from which on it is full */
    double rows_for;      /* so many replicas */
    double inside_s;      /* integral of N */
};

/* The world ends: latencies, and what is within the objectives as a share of what was served, into
 * the books. */
void interval_llm_end(struct service_run *s);
/* Once it is known how many were served: their tokens. */
void interval_llm_count_tokens(struct service_run *s);
/* Mean tokens of a request that is served. */
struct llm_lengths interval_llm_tokens(const struct service_run *s);
/* The bucket of the log with this moment is over: its latencies, whose waits are in the log's. */
void interval_llm_log(struct service_run *s, double at_s);

#endif
