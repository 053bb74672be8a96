/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_table.h"

#include "models/inference/llm_table_run.h"

#include <math.h>
#include <stdlib.h>

/* Dense where waits begin to grow. */
const double llm_table_loads[LLM_TABLE_LOADS] = {0.02, 0.06, 0.12, 0.2,  0.3,  0.4,  0.5,  0.6,
                                                 0.68, 0.75, 0.81, 0.86, 0.90, 0.93, 0.96, 0.985};
const uint32_t llm_table_counts[LLM_TABLE_COUNTS] = {1, 2, 4, 8, 16, 32};

/* From this number of replicas on their drains are measured: enough of them end at once. */
#define LEAST_DRAINING 8

bool llm_table_init(struct llm_table *t, struct arena *arena)
{
    *t = (struct llm_table){.made = false};
    struct llm_sample *samples =
        arena_array(arena, ((size_t)LLM_TABLE_COUNTS * LLM_TABLE_LOADS + 1) * LLM_TABLE_SAMPLES,
                    sizeof *samples);
    for (size_t k = 0; samples != NULL && k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++, samples += LLM_TABLE_SAMPLES) {
            t->cells[k][j].samples = samples;
        }
    }
    t->full.samples = samples;
    return samples != NULL;
}

/* Chance makes a load look lighter than the one before it: it is taken for as heavy. */
static void make_monotone(struct llm_cell *cells)
{
    for (size_t j = 1; j < LLM_TABLE_LOADS; j++) {
        struct llm_cell *c = &cells[j];
        const struct llm_cell *before = &cells[j - 1];
        c->in_flight = fmax(c->in_flight, before->in_flight * (1 + 1e-9));
        c->waiting = fmax(c->waiting, before->waiting);
        c->busy = fmax(c->busy, before->busy);
        c->active = fmax(c->active, before->active);
        c->cache_tokens = fmax(c->cache_tokens, before->cache_tokens);
        c->drain_s = fmax(c->drain_s, before->drain_s);
    }
}

/* What hangs on the load, and hardly on how many replicas there are, is taken from all columns: how
 * long one drains, where many do, and how the number in flight varies, which takes long to see. */
static void share_row(struct llm_table *t, size_t j)
{
    double drain_s = 0, draining = 0, spread = 0, memory_s = 0;
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        const struct llm_cell *c = &t->cells[k][j];
        if (llm_table_counts[k] >= LEAST_DRAINING) {
            drain_s += llm_table_counts[k] * c->drain_s;
            draining += llm_table_counts[k];
        }
        spread += log(c->spread) / LLM_TABLE_COUNTS;
        memory_s += log(c->memory_s) / LLM_TABLE_COUNTS;
    }
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        t->cells[k][j].drain_s = drain_s / draining;
        t->cells[k][j].spread = exp(spread);
        t->cells[k][j].memory_s = exp(memory_s);
    }
}

static bool fill(struct llm_table *t, struct llm_table_run *run)
{
    bool good = llm_table_run_full(run, t);
    for (size_t k = 0; good && k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; good && j < LLM_TABLE_LOADS; j++) {
            good = llm_table_run_cell(run, t, k, j);
        }
    }
    if (!good) {
        return false;
    }
    for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
        share_row(t, j);
    }
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        make_monotone(t->cells[k]);
    }
    t->made = true;
    return true;
}

bool llm_table_make_sharing(struct llm_table *t, const struct llm_table_source *from,
                            struct llm_table_store *store)
{
    struct llm_table_run *run = llm_table_run_new(from);
    if (run == NULL) {
        return false;
    }
    const struct llm_table_key key = llm_table_run_key(run);
    bool good = store != NULL && llm_table_store_take(store, &key, t);
    if (!good) {
        good = fill(t, run);
        if (good && store != NULL) {
            llm_table_store_keep(store, &key, t);
        }
    }
    llm_table_run_free(run);
    return good;
}

struct llm_row llm_table_row(const struct llm_table *t, double replicas)
{
    const double most = llm_table_counts[LLM_TABLE_COUNTS - 1];
    double at = log2(fmin(fmax(replicas, 1), most));
    struct llm_row row = {.column = (unsigned)fmin(floor(at), LLM_TABLE_COUNTS - 2)};
    row.share = at - row.column;
    for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
        row.in_flight[j] = (1 - row.share) * t->cells[row.column][j].in_flight +
                           row.share * t->cells[row.column + 1][j].in_flight;
    }
    return row;
}
