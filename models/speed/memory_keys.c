/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/memory_keys.h"

#include <stddef.h>

#define MEMORY(member) offsetof(struct memory_spec, member)

const char *const optimizer_names[] = {"adam", "adam-8bit", "momentum", "sgd", NULL};
static const char *const attention_names[] = {"fused", "plain", NULL};
static const char *const offload_names[] = {"none", "optimizer", NULL};
_Static_assert(OPTIMIZER_SGD == 3 && OPTIMIZER_COUNT == 4 && ATTENTION_PLAIN == 1 &&
                   OFFLOAD_OPTIMIZER == 1,
               "the names are indexed by their enums");

static const struct schema_key memory_keys[] = {
    {.name = "optimizer",
     .kind = SCHEMA_CHOICE,
     .choices = optimizer_names,
     .offset = MEMORY(optimizer),
     .help = "What is kept for each trained parameter: `adam` (AdamW, LAMB) 8 bytes, `adam-8bit` "
             "2, `momentum` (SGD with momentum, Lion) 4, `sgd` (also Adafactor) none. Default: "
             "`adam`, for a `cnn` `momentum`."},
    {.name = "master_weights",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = MEMORY(master_weights),
     .help = "Weights in 16 bits have a copy in 32 (mixed precision); `no`: pure 16-bit training."},
    {.name = "gradient_bytes",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0.5,
     .high = 8,
     .offset = MEMORY(gradient_bytes),
     .help = "Bytes of one gradient; `4` where a framework keeps them in FP32. Default: as the "
             "weights."},
    {.name = "attention",
     .kind = SCHEMA_CHOICE,
     .choices = attention_names,
     .offset = MEMORY(attention),
     .help = "`fused` (FlashAttention and its like) keeps no matrix of sequence by sequence; "
             "`plain` does. Default: `fused`, listed under \"assumed\"."},
    {.name = "sequence_parallel",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = MEMORY(sequence_parallel),
     .given_offset = MEMORY(sequence_parallel_given),
     .help = "`parallel.tensor` splits all activations; `no`: 10 of 34 parts stay whole on each "
             "accelerator."},
    {.name = "activation_size",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e15,
     .offset = MEMORY(activation_size),
     .help = "Measured activations of one sample, in place of the formula."},
    {.name = "offload",
     .kind = SCHEMA_CHOICE,
     .choices = offload_names,
     .default_text = "none",
     .offset = MEMORY(offload),
     .help = "`optimizer`: its state, with the FP32 copy of the weights, lies in the host's memory "
             "(ZeRO-Offload)."},
    {.name = "data_cache",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e18,
     .default_text = "0 GB",
     .offset = MEMORY(data_cache),
     .help = "Data that each node keeps in its main memory."},
    {.name = "loader_workers",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 100000,
     .default_text = "0",
     .offset = MEMORY(loader_workers),
     .help = "Processes of a node that load data."},
    {.name = "worker_memory",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA,
     .low = 0,
     .high = 1e15,
     .default_text = "2 GiB",
     .offset = MEMORY(worker_memory),
     .help = "Main memory of one of them."},
    {.name = "check",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = MEMORY(check),
     .help = "What does not fit is refused; `no`: it is known to run, and nothing is checked."},
};

const struct schema memory_schema = {
    .name = "training.memory",
    SCHEMA_KEYS(memory_keys),
    .size = sizeof(struct memory_spec),
    .help = "What the memory of accelerators and hosts holds beside the model itself.",
};
