/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_keys.h"

#include <stddef.h>

const char *const llm_weights_names[] = {"bf16", "fp16", "fp8", "int8", "int4", NULL};
const char *const llm_engine_names[] = {"tuned", "python-2024", "python-2023", NULL};
static const char *const cache_names[] = {"16-bit", "8-bit", NULL};
static const char *const scheduling_names[] = {"prefill-first", "chunked", NULL};
static const char *const admission_names[] = {"prompt", "chunk", "guaranteed", NULL};
static const char *const routing_names[] = {"round-robin", "least", "two-choices", NULL};

/* ---- the model ---- */

#define MODEL(member) offsetof(struct llm_model_spec, member)

#define FIGURE(key, least, most, text)                                                             \
    {                                                                                              \
        .name = #key, .kind = SCHEMA_NUMBER, .dimension = DIMENSION_COUNT, .low = (least),         \
        .high = (most), .offset = MODEL(key), .help = (text)                                       \
    }

static const struct schema_key model_keys[] = {
    {.name = "preset",
     .kind = SCHEMA_TEXT,
     .offset = MODEL(preset),
     .place_offset = MODEL(place),
     .help = "A published model, such as `llama-2-7b` (`fleetcast show models`); the other keys "
             "override it one by one. `model: llama-2-7b` is short for it."},
    FIGURE(parameters, 1e6, 1e15, "All parameters, such as `7B`."),
    FIGURE(active_parameters, 1e6, 1e15,
           "Parameters that take part in each token's computation, of a mixture of experts; "
           "default: all."),
    FIGURE(layers, 1, 1e5, "Transformer layers."),
    FIGURE(hidden, 1, 1e7, "Width of the model: elements of one token's representation."),
    FIGURE(heads, 1, 1e5, "Attention heads of a layer."),
    FIGURE(kv_heads, 1, 1e5,
           "Heads whose keys and values are kept in the cache, fewer than `heads` with grouped "
           "attention; default: the preset's, else all."),
    FIGURE(head_size, 1, 1e5,
           "Elements of a head; default: the preset's, else `hidden` over `heads`."),
};

static const struct schema model_schema_llm = {
    .name = "inference.llm.model",
    .shorthand = "preset",
    SCHEMA_KEYS(model_keys),
    .size = sizeof(struct llm_model_spec),
    .help = "What is served: from it follow memory, cache and the time of a step.",
};

/* ---- measured ---- */

#define MEASURED(member) offsetof(struct llm_measured_spec, member)

static const struct schema_key measured_keys[] = {
    {.name = "tpot",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1e-6,
     .high = 100,
     .required = true,
     .offset = MEASURED(tpot),
     .place_offset = MEASURED(place),
     .help = "Time of one token of the output while one sequence alone is served."},
    {.name = "tokens_per_s",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1e-3,
     .high = 1e9,
     .required = true,
     .offset = MEASURED(tokens_per_s),
     .help = "Tokens of output a second of one replica that always has requests waiting."},
    {.name = "prompt",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e7,
     .required = true,
     .offset = MEASURED(prompt),
     .help = "Tokens of a prompt in that measurement."},
    {.name = "output",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 2,
     .high = 1e7,
     .required = true,
     .offset = MEASURED(output),
     .help = "Tokens of an output in it."},
};

static const struct schema measured_schema = {
    .name = "inference.llm.types.measured",
    SCHEMA_KEYS(measured_keys),
    .size = sizeof(struct llm_measured_spec),
    .help = "What your own engine did on this type, which beats any estimate: the overhead of a "
            "layer follows from the first figure, that of a sequence, or the share of the peak, "
            "from the second.",
};

/* ---- instance types ---- */

#define HOST(member) offsetof(struct llm_host_spec, member)

/* Why a part of an accelerator will not do. */
#define WHOLE_ACCELERATORS                                                                         \
    "a replica of a language model has its accelerators to itself: engines take most of their "    \
    "memory for the cache, and how steps slow down beside another's is not modelled"

static const struct schema_key host_keys[] = {
    {.name = "accelerators",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 64,
     .offset = HOST(accelerators),
     .whole = WHOLE_ACCELERATORS,
     .help = "Accelerators of one replica on this type."},
    {.name = "most_sequences",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e5,
     .offset = HOST(most_sequences),
     .help = "Most sequences at a time on this type."},
    {.name = "token_budget",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e7,
     .offset = HOST(token_budget),
     .help = "Most tokens of a step on this type."},
    {.name = "measured",
     .kind = SCHEMA_SECTION,
     .inner = &measured_schema,
     .offset = HOST(measured),
     .given_offset = HOST(is_measured),
     .help = "What was measured there, in place of the estimate and of `engine`."},
};

static const struct schema host_schema = {
    .name = "inference.llm.types",
    SCHEMA_KEYS(host_keys),
    .size = sizeof(struct llm_host_spec),
    .help = "What holds on one instance type.",
};

/* ---- the service ---- */

#define LLM(member) offsetof(struct llm_spec, member)

static const struct schema_key llm_keys[] = {
    {.name = "model",
     .kind = SCHEMA_SECTION,
     .inner = &model_schema_llm,
     .required = true,
     .offset = LLM(model),
     .place_offset = LLM(place),
     .help = "The model: a preset, or its figures."},
    {.name = "prompt",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e7,
     .offset = LLM(prompt),
     .help = "Tokens of a prompt: `512`, `lognormal(p50=400, p95=2500)`, `empirical(lengths.csv, "
             "prompt)`. Drawn for each request, the same under all strategies. Default: those of "
             "the replayed trace."},
    {.name = "output",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 1e7,
     .offset = LLM(output),
     .help = "Tokens of an output. Default: those of the replayed trace."},
    {.name = "correlation",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = -0.99,
     .high = 0.99,
     .default_text = "0",
     .offset = LLM(correlation),
     .help = "Between both lengths of a request: of their normal scores."},
    {.name = "prefix_hits",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 0.99,
     .offset = LLM(prefix_hits),
     .help = "Share of each prompt that is found in the prefix cache, and neither computed nor "
             "stored again. Default: the replayed trace's, else none."},
    {.name = "context",
     .kind = SCHEMA_INTEGER,
     .low = 2,
     .high = 1e7,
     .offset = LLM(context),
     .help = "Most tokens of prompt and output together: a longer prompt is rejected, a longer "
             "output is cut. Default: what the cache holds."},
    {.name = "weights",
     .kind = SCHEMA_CHOICE,
     .choices = llm_weights_names,
     .default_text = "bf16",
     .offset = LLM(weights),
     .help = "Number format of the weights. `fp8` is computed at the 8-bit peak where the "
             "accelerator has one; `int8` and `int4` are held small and computed in 16 bits."},
    {.name = "cache",
     .kind = SCHEMA_CHOICE,
     .choices = cache_names,
     .default_text = "16-bit",
     .offset = LLM(cache),
     .help = "Number format of the key-value cache."},
    {.name = "accelerators",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 64,
     .offset = LLM(accelerators),
     .whole = WHOLE_ACCELERATORS,
     .help = "Accelerators of one replica, over which its layers are split (tensor parallel): "
             "whole ones, which no other replica shares. "
             "Default: the fewest of 1, 2, 4, … of a node that hold the weights and a long "
             "request (the 99 % quantiles of prompt and output)."},
    {.name = "scheduling",
     .kind = SCHEMA_CHOICE,
     .choices = scheduling_names,
     .default_text = "chunked",
     .offset = LLM(scheduling),
     .help = "`chunked`: each step decodes, and prompts get what is left of the token budget "
             "(vLLM since V1, TensorRT-LLM); `prefill-first`: whole prompts go before, and "
             "decoding pauses (vLLM V0)."},
    {.name = "admission",
     .kind = SCHEMA_CHOICE,
     .choices = admission_names,
     .default_text = "prompt",
     .offset = LLM(admission),
     .help = "What must fit into the cache before a request is begun: its whole `prompt`, its "
             "first `chunk`, or, `guaranteed`, prompt and output, so that nothing is ever "
             "evicted (TensorRT-LLM)."},
    {.name = "most_sequences",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e5,
     .default_text = "256",
     .offset = LLM(most_sequences),
     .help = "Most sequences that a replica works on at a time."},
    {.name = "token_budget",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e7,
     .default_text = "2048",
     .offset = LLM(token_budget),
     .help = "Most tokens that a step processes."},
    {.name = "engine",
     .kind = SCHEMA_CHOICE,
     .choices = llm_engine_names,
     .default_text = "tuned",
     .offset = LLM(engine),
     .help = "How good the engine is, as a factor on all times, drawn once a world: `tuned` 0.85 "
             "to 1.25 (TensorRT-LLM since 0.6, recent vLLM), `python-2024` 0.75 to 1.5 and 9 ms of "
             "host a step (vLLM 0.2 to 0.6), `python-2023` 1.4 to 3 (TGI 1.0); 90 % intervals."},
    {.name = "factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0.1,
     .high = 100,
     .offset = LLM(factor),
     .help = "That factor, in place of the profile's: `1.2`, `1.0..1.6`."},
    {.name = "memory_used",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0.05,
     .high = 1,
     .default_text = "90 %",
     .offset = LLM(memory_used),
     .help = "Share of the accelerators' memory that the engine takes for weights and cache."},
    {.name = "reserve",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e12,
     .default_text = "1.5 GB",
     .offset = LLM(reserve),
     .help = "Of that, what else it needs on each: activations, graphs, buffers."},
    {.name = "routing",
     .kind = SCHEMA_CHOICE,
     .choices = routing_names,
     .default_text = "least",
     .offset = LLM(routing),
     .help = "Which replica a request goes to, where it stays: in turn, that with the least in "
             "flight, or the better of two drawn ones."},
    {.name = "types",
     .kind = SCHEMA_MAP,
     .inner = &host_schema,
     .low = 1,
     .high = 200,
     .offset = LLM(hosts),
     .help = "What differs by instance type; `any` stands for those that are not named."},
};

const struct schema llm_schema = {
    .name = "inference.llm",
    SCHEMA_KEYS(llm_keys),
    .size = sizeof(struct llm_spec),
    .help = "A language model, token by token: each replica has a queue, a batch and a cache of "
            "its own.",
};

/* ---- what is uncertain ---- */

static bool any_varies(const struct number *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i].input >= 0) {
            return true;
        }
    }
    return false;
}

bool llm_spec_varies(const struct llm_spec *s)
{
    const struct llm_model_spec *m = &s->model;
    const struct number of_all[] = {
        m->parameters, m->active_parameters, m->layers,  m->hidden,      m->heads,      m->kv_heads,
        m->head_size,  s->memory_used,       s->reserve, s->correlation, s->prefix_hits};
    const struct llm_host_spec *hosts = s->hosts.items;
    bool varies = any_varies(of_all, sizeof of_all / sizeof of_all[0]) ||
                  any_varies(s->prompt.p, 3) || any_varies(s->output.p, 3);
    for (size_t i = 0; i < s->hosts.count; i++) {
        const struct llm_measured_spec *x = &hosts[i].measured;
        const struct number measured[] = {x->tpot, x->tokens_per_s, x->prompt, x->output};
        varies = varies || (hosts[i].is_measured && any_varies(measured, 4));
    }
    return varies;
}
