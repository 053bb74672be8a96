/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long the prompt and the output of a request are: functions of the world and the request's
 * number, so that every strategy serves the same requests. The two are tied by a normal copula. */
#ifndef FLEETCAST_MODELS_TOKEN_LENGTHS_H
#define FLEETCAST_MODELS_TOKEN_LENGTHS_H

#include "engine/distribution.h"
#include "engine/inputs.h"
#include "engine/quantile_table.h"
#include "engine/random.h"
#include "models/inference/llm_capacity.h"
#include "models/inference/llm_keys.h"
#include "models/inference/request_trace.h"

#include <stdbool.h>
#include <stdint.h>

struct token_length {
    uint32_t prompt, output; /* >= 1 */
    uint32_t cached;         /* < prompt */
};

enum { TOKEN_LENGTHS_BATCH = 16 };

struct token_lengths {
    struct distribution prompt, output; /* of this world */
    double correlation, prefix_hits;
    bool draws_prompt, draws_output, draws_hits; /* else they are the trace's */
    uint64_t source_prompt, source_output;
    /* private */
    struct random_window prompt_draws, output_draws;
    struct token_length batch[TOKEN_LENGTHS_BATCH]; /* where both are drawn: of the requests … */
    struct random_world batch_world;                /* … of this world … */
    uint32_t batch_from;                            /* … from this one on … */
    bool has_batch;                                 /* … when there are any */
    struct quantile_table *prompt_table, *output_table; /* NULL: the inverse itself */
    bool looks_prompt_up, looks_output_up;
};

void token_lengths_init(struct token_lengths *t, const char *workload_name);
/* For lengths by the million: the same ones, looked up in tables where that tells them. False when
 * memory is out. */
bool token_lengths_tabulate(struct token_lengths *t);
void token_lengths_release(struct token_lengths *t);
/* False when the parameters drawn are impossible. */
bool token_lengths_begin(struct token_lengths *t, const struct llm_spec *spec, const double *drawn);
/* traced: what the replayed trace says of it, 0 where it does not. */
static inline struct token_length token_lengths_of(struct token_lengths *t,
                                                   struct random_world world, uint64_t number,
                                                   const struct token_length *traced);

/* The same of a request whose two uniform draws are u, of the prompt, and v, of the output. */
struct token_length token_lengths_at(const struct token_lengths *t, double u, double v,
                                     const struct token_length *traced);
/* Cuts the output to what `context` leaves (0: no limit); false when the prompt alone is as long.
 */
static inline bool token_lengths_cut(struct token_length *l, uint64_t context);

/* As planning sees them: means, and the tokens of a long request, the sum of the 99 % quantiles of
 * both lengths. What is not stated is the trace's, which must have it. False when the parameters
 * are impossible. */
bool token_lengths_planned(const struct llm_spec *spec, const struct request_trace *trace,
                           struct llm_lengths *lengths, double *long_request);

/* ---- private; inline, since every request is measured ---- */

/* Of one that is not in the batch, which may be filled anew for it. */
struct token_length token_lengths_outside(struct token_lengths *t, struct random_world world,
                                          uint32_t number, const struct token_length *traced);

static inline struct token_length token_lengths_of(struct token_lengths *t,
                                                   struct random_world world, uint64_t number,
                                                   const struct token_length *traced)
{
    const uint32_t n = (uint32_t)number, place = n % TOKEN_LENGTHS_BATCH;
    if (t->has_batch && t->batch_from == n - place && t->batch_world.seed == world.seed &&
        t->batch_world.replication == world.replication) {
        return t->batch[place]; /* requests are mostly asked for in their order */
    }
    return token_lengths_outside(t, world, n, traced);
}

static inline bool token_lengths_cut(struct token_length *l, uint64_t context)
{
    if (context > 0 && l->prompt >= context) {
        return false;
    }
    if (context > 0 && l->output > context - l->prompt) {
        l->output = (uint32_t)(context - l->prompt);
    }
    return true;
}

#endif
