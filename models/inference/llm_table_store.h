/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of latencies that were made once, for studies that differ in something else: a search, a
 * grid, an input set to one value after another. A table is found again by all that it is made
 * of: the rules of a replica, the lengths of requests, how they come and are routed. */
#ifndef FLEETCAST_MODELS_LLM_TABLE_STORE_H
#define FLEETCAST_MODELS_LLM_TABLE_STORE_H

#include "models/inference/llm_table.h"

/* All that a table is a function of. */
struct llm_table_key {
    struct llm_rules rules;
    struct llm_lengths means;
    double cv;
    int law, routing;
    uint64_t lengths; /* of the requests that it is made of: a hash of all */
    size_t length_count;
};

struct llm_table_store;

/* NULL when memory is out. */
struct llm_table_store *llm_table_store_new(void);
void llm_table_store_free(struct llm_table_store *s);
/* Fills t, whose samples have room (llm_table_init), when it is there. Any thread. */
bool llm_table_store_take(struct llm_table_store *s, const struct llm_table_key *key,
                          struct llm_table *t);
/* Keeps a copy of a table that is made, while there is room. Any thread. */
void llm_table_store_keep(struct llm_table_store *s, const struct llm_table_key *key,
                          const struct llm_table *t);

#endif
