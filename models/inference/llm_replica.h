/* SPDX-License-Identifier: GPL-3.0-or-later
 * One replica of a language-model service, request by request, at two to four events a request:
 * between two events the batch is fixed, so that the time of any number of decoding steps is a
 * closed sum, and they are jumped over. Against a simulation of every step means and 95 % quantiles
 * differ by less than 0.3 % while the key-value cache is not full.
 *
 * All decoding requests advance together; one is done at a fixed number of steps, the key of a
 * heap. A jump of n steps from K cached tokens with b decoding takes
 *
 *     a n + kappa ( K n + b n (n - 1) / 2 ),       a, kappa as of llm_step
 *
 * and ends where the first is done or the cache is full; an arrival that could be admitted cuts it
 * at the first step that ends after it. A run of full chunks of a long prompt is one event too.
 *
 * The cache is counted in tokens, each request with `waste` more for its last, half-empty block. */
#ifndef FLEETCAST_MODELS_LLM_REPLICA_H
#define FLEETCAST_MODELS_LLM_REPLICA_H

#include "models/inference/decode_heap.h"
#include "models/inference/llm_step.h"
#include "models/inference/service_requests.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum llm_scheduling {
    LLM_PREFILL_FIRST, /* whole prompts up to the token budget make a step; decoding pauses */
    LLM_CHUNKED        /* each step decodes, and prompts get the rest of the budget */
};

enum llm_admission {
    LLM_ADMIT_PROMPT,    /* the whole prompt must fit into the cache, and 1 % be left */
    LLM_ADMIT_CHUNK,     /* its first chunk must */
    LLM_ADMIT_GUARANTEED /* prompt and all output must: nothing is ever evicted */
};

/* Read only once made; shared by all replicas of a service. */
struct llm_rules {
    struct llm_step step;
    enum llm_scheduling scheduling;
    enum llm_admission admission;
    uint32_t most_sequences; /* decoding, and partly prefilled ones */
    uint32_t token_budget;   /* of one step; >= 1 */
    double waste_tokens;     /* of a sequence: 7.5 with blocks of 16 */
    double watermark;        /* share of the cache that admission leaves free: 0.01 */
};

/* Told at the instant it is done, or lost: the request is the owner's again, to give back or to
 * send anew. It may not be given to a replica during the call. */
typedef void llm_done(void *owner, uint32_t request, double done_s);

enum llm_phase { LLM_IDLE, LLM_DECODE, LLM_PREFILL };

struct llm_replica {
    const struct llm_rules *rules;
    struct service_requests *requests;

    /* Read only for owners. */
    double end_s;         /* of what goes on; +infinity: idle. llm_replica_advance is due then */
    uint32_t in_flight;   /* requests here, waiting ones included */
    uint32_t waiting;     /* of them, not admitted yet */
    uint64_t evictions;   /* so far */
    uint64_t events;      /* so far, for benchmarks */
    double busy_s;        /* until the end of what was advanced last … */
    double cache_token_s; /* … and the tokens of the cache in use, summed over that time */

    /* private, to llm_replica_losses too */
    enum llm_phase phase;
    double begin_s;  /* of what goes on: a boundary between steps */
    uint64_t steps;  /* made before that */
    uint64_t jump;   /* steps under way */
    double cached;   /* tokens read by decoding: sum of contexts */
    double used;     /* tokens of the cache in use, waste included */
    double reserved; /* GUARANTEED: tokens that those admitted may come to use */
    struct decode_heap decoders;
    uint32_t first_waiting, last_waiting;
    uint32_t admissions; /* so far: the order of the next */
    uint32_t partial;    /* whose prompt is partly done, of all here admitted last; 0: none … */
    uint32_t prefilled;  /* … tokens of it that are done, of those to prefill: prompt, and made
                            ones after an eviction */
    uint32_t chunk;      /* LLM_PREFILL: tokens of the partial one a step */
    uint32_t in_step;    /* LLM_PREFILL of one step: first of a list of prompts that end in it */
};

/* Rules and requests are borrowed. */
void llm_replica_init(struct llm_replica *r, const struct llm_rules *rules,
                      struct service_requests *requests);
void llm_replica_release(struct llm_replica *r);

/* Whether it could ever be served: prompt and output fit into the cache, and into a step where
 * prompts are not chunked. */
static inline bool llm_rules_can_serve(const struct llm_rules *rules, uint32_t prompt,
                                       uint32_t output)
{
    return (double)prompt + output + rules->waste_tokens <= rules->step.kv_tokens &&
           rules->token_budget >= 1 && rules->most_sequences >= 1;
}

/* A request (see llm_rules_can_serve) comes at now_s, which lies before end_s and not before any
 * earlier call; end_s may change. False when memory is out; then it is not taken. */
bool llm_replica_arrive(struct llm_replica *r, uint32_t request, double now_s);
/* At end_s: what went on is over. Tells what is done, and begins what comes next. */
void llm_replica_advance(struct llm_replica *r, llm_done *done, void *owner);

#endif
