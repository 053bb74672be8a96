/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a service of a language model. */
#ifndef FLEETCAST_MODELS_LLM_KEYS_H
#define FLEETCAST_MODELS_LLM_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum llm_weights {
    LLM_WEIGHTS_BF16,
    LLM_WEIGHTS_FP16,
    LLM_WEIGHTS_FP8,
    LLM_WEIGHTS_INT8,
    LLM_WEIGHTS_INT4
};
enum llm_cache { LLM_CACHE_16, LLM_CACHE_8 };
enum llm_engine { LLM_ENGINE_TUNED, LLM_ENGINE_2024, LLM_ENGINE_2023, LLM_ENGINE_COUNT };

extern const char *const llm_weights_names[];
extern const char *const llm_engine_names[];

/* `model: llama-2-7b`, or figures. */
struct llm_model_spec {
    const char *preset; /* NULL: none */
    struct place place;
    struct number parameters, active_parameters;
    struct number layers, hidden, heads, kv_heads, head_size;
};

/* Of one replica on one instance type, with requests of these lengths. */
struct llm_measured_spec {
    struct number tpot;         /* seconds, one sequence alone */
    struct number tokens_per_s; /* of output, when it is full */
    struct number prompt, output;
    struct place place;
};

/* `types: {inf2.48xlarge: {accelerators: 4, …}}` */
struct llm_host_spec {
    struct schema_item item; /* the instance type, or "any" */
    int64_t accelerators;    /* 0: as for all */
    int64_t most_sequences, token_budget;
    struct llm_measured_spec measured;
    bool is_measured;
};

struct llm_spec {
    struct llm_model_spec model;
    struct place place;        /* of `model` */
    int weights, cache;        /* enum llm_weights, llm_cache */
    int64_t accelerators;      /* of a replica; 0: the fewest that fit */
    int scheduling, admission; /* enum llm_scheduling, llm_admission */
    int64_t most_sequences, token_budget;
    int engine;                         /* enum llm_engine */
    struct number factor;               /* on all times, in place of the engine's */
    struct number memory_used, reserve; /* share; bytes of each accelerator */
    struct variate prompt, output;      /* tokens */
    struct number correlation;          /* of their normal scores */
    struct number prefix_hits;          /* share of the prompt */
    int64_t context;                    /* tokens; 0: no limit */
    int routing;                        /* enum routing_law */
    struct schema_list hosts;           /* struct llm_host_spec */
};
extern const struct schema llm_schema;

/* Whether more of it is drawn anew in each world than the factor on all times. */
bool llm_spec_varies(const struct llm_spec *spec);

#endif
