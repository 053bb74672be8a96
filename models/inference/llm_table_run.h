/* SPDX-License-Identifier: GPL-3.0-or-later
 * The simulations behind a table of latencies (llm_table): replicas behind a router under a steady
 * load, and one replica that always has requests waiting. */
#ifndef FLEETCAST_MODELS_LLM_TABLE_RUN_H
#define FLEETCAST_MODELS_LLM_TABLE_RUN_H

#include "models/inference/llm_table.h"
#include "models/inference/llm_table_store.h"

#include <stdbool.h>
#include <stddef.h>

struct llm_table_run;
/* Draws the requests. NULL when memory is out, or no request can be served. */
struct llm_table_run *llm_table_run_new(const struct llm_table_source *from);
/* All that the table hangs on. */
struct llm_table_key llm_table_run_key(const struct llm_table_run *run);
void llm_table_run_free(struct llm_table_run *run);

/* Fills the cell of full replicas, the saturated rate, and what is known of the lengths; first. */
bool llm_table_run_full(struct llm_table_run *run, struct llm_table *t);
/* Fills one other cell: its column and its row. False when memory is out. */
bool llm_table_run_cell(struct llm_table_run *run, struct llm_table *t, size_t column, size_t row);

#endif
