/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of latencies of one service, one for each instance type that serves it: shared by all
 * strategies and threads, made by the first of them that simulates. */
#ifndef FLEETCAST_MODELS_LLM_TABLES_H
#define FLEETCAST_MODELS_LLM_TABLES_H

#include "models/inference/llm_table.h"

struct llm_tables;
struct llm_table_place;

/* None yet; lives in the arena. store: of tables that other studies made, or NULL. NULL when memory
 * is out. */
struct llm_table_store;
struct llm_tables *llm_tables_new(struct arena *arena, struct llm_table_store *store);
/* Where the table of this host will be; planning, which one thread does. Everything is borrowed,
 * and copied where it says so. NULL when memory is out. */
struct llm_table_place *llm_tables_place(struct llm_tables *t, struct arena *arena,
                                         const struct llm_plan *plan,
                                         const struct llm_host_plan *host, double cv, int law);
/* The table, made by now. Any thread. NULL when memory is out. */
const struct llm_table *llm_tables_make(struct llm_table_place *place);

#endif
