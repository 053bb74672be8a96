/* SPDX-License-Identifier: GPL-3.0-or-later
 * How requests fare on replicas of a language model behind a router, by the load that each replica
 * is offered: tabulated once from the jump model (llm_replica), for simulations in steps of time.
 *
 * Times are in units of the factor on the engine's iteration time: all times of an engine scale
 * with it, so that a world whose factor is f times the planned one, and whose replicas are offered
 * x requests/s each, has the laws of the load x f, with all times f times as long. One table
 * therefore serves all worlds, strategies and threads. It is made on worlds from RANDOM_FIRST_JUDGE
 * up, which no replication sees.
 *
 * Columns are numbers of replicas (1, 2, 4, ... 32: more share as 32 do), rows loads as shares of
 * the rate of a replica that always has requests waiting; one cell more is that state itself, in
 * which the key-value cache or the sequences are full. Lengths are a low-discrepancy set, the
 * same for all cells, and arrivals the same but for their scale, so that rows differ by their load
 * only. */
#ifndef FLEETCAST_MODELS_LLM_TABLE_H
#define FLEETCAST_MODELS_LLM_TABLE_H

#include "models/inference/llm_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LLM_TABLE_LOADS = 16, LLM_TABLE_COUNTS = 6, LLM_TABLE_SAMPLES = 4096 };

extern const double llm_table_loads[LLM_TABLE_LOADS]; /* shares of the saturated rate, rising */
extern const uint32_t llm_table_counts[LLM_TABLE_COUNTS];

/* One request: seconds from its arrival. */
struct llm_sample {
    float wait_s; /* until it was admitted */
    float ttft_s, e2e_s;
    float tpot_s; /* below 0: it had one token of output, and so none */
};

struct llm_cell {
    double in_flight, waiting; /* a replica, on average; waiting: not admitted, part of in_flight */
    double busy;               /* mean of min(1, in flight / sequences that fill a replica) */
    double active;             /* share of the time in which a replica has something to do */
    double cache_tokens;       /* of the key-value cache of a replica, in use on average */
    double spread;             /* variance of the number in flight of all, over the replicas */
    double memory_s;           /* time of correlation of that number, as of exp(-t / memory_s) */
    double e2e_s;              /* mean */
    double evictions;          /* a request */
    double drain_s;            /* until all that is in flight on one replica has ended */
    uint32_t count;            /* of samples */
    struct llm_sample *samples;
};

struct llm_table {
    bool made;
    double saturated_rate;      /* requests/s of a replica */
    double saturated_in_flight; /* admitted, then */
    double dispersion;          /* of how many are done then: variance over mean, over long times */
    double rejected;            /* share of all requests: longer than any replica could serve */
    double prompt_tokens, output_tokens; /* mean, of those that are served */
    struct llm_cell cells[LLM_TABLE_COUNTS][LLM_TABLE_LOADS];
    struct llm_cell full; /* always requests waiting: wait_s is 0, times are from admission */
};

/* What a table is made of; borrowed for the call. */
struct llm_table_source {
    const struct llm_spec *spec;     /* lengths, context, routing: as planned */
    const struct llm_rules *rules;   /* of a replica, as planned */
    const struct llm_lengths *means; /* as planned */
    double cv;                       /* of the time between arrivals … */
    int law;                         /* … enum arrival_law */
};

/* Without samples' memory: nothing in it yet. */
bool llm_table_init(struct llm_table *t, struct arena *arena);
struct llm_table_store;
/* Fills it, some seconds of work, or takes it from the store where it is there, and else keeps it
 * in it; NULL: none. False when memory is out, or no request can be served. */
bool llm_table_make_sharing(struct llm_table *t, const struct llm_table_source *from,
                            struct llm_table_store *store);

/* The rows for a number of replicas > 0, which may be a fraction: along lines in the logarithm of
 * the number. Values of column `column` count 1 - share, those of the next one `share`. */
struct llm_row {
    unsigned column;
    double share;
    double in_flight[LLM_TABLE_LOADS];
};
struct llm_row llm_table_row(const struct llm_table *t, double replicas);

#endif
