/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/parallel_keys.h"

#include <stddef.h>

#define PARALLEL(member) offsetof(struct parallel_spec, member)

const char *const recompute_names[] = {"none", "selective", "full", NULL};
_Static_assert(RECOMPUTE_NONE == 0 && RECOMPUTE_FULL == 2,
               "recompute_names are indexed by enum recompute");

static const struct schema_key parallel_keys[] = {
    {.name = "tensor",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1024,
     .default_text = "1",
     .offset = PARALLEL(tensor),
     .place_offset = PARALLEL(tensor_place),
     .help = "Tensor-parallel ways: the accelerators that share each layer."},
    {.name = "pipeline",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1024,
     .default_text = "1",
     .offset = PARALLEL(pipeline),
     .place_offset = PARALLEL(pipeline_place),
     .help = "Pipeline stages that the layers are cut into."},
    {.name = "expert",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 100000,
     .default_text = "1",
     .offset = PARALLEL(expert),
     .place_offset = PARALLEL(expert_place),
     .help = "Expert-parallel ways: of the data-parallel ways, those that share the experts of a "
             "mixture, and send tokens to each other (`model: {experts}`)."},
    {.name = "zero",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 3,
     .default_text = "0",
     .offset = PARALLEL(zero),
     .help = "Stage of ZeRO over the data-parallel ways; 3 is what FSDP calls full sharding."},
    {.name = "batch",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e12,
     .offset = PARALLEL(batch),
     .place_offset = PARALLEL(batch_place),
     .help = "Samples (sequences, images) of one optimizer step of the whole job, whatever the "
             "number of nodes."},
    {.name = "micro_batch",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e9,
     .offset = PARALLEL(micro_batch),
     .place_offset = PARALLEL(micro_batch_place),
     .help = "Samples that go through one replica of the model at a time; the rest of the batch "
             "is accumulated."},
    {.name = "recompute",
     .kind = SCHEMA_CHOICE,
     .choices = recompute_names,
     .default_text = "none",
     .offset = PARALLEL(recompute),
     .help = "Activations that are computed again in the backward pass (gradient "
             "checkpointing): less memory."},
    {.name = "recompute_time",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 1,
     .high = 3,
     .offset = PARALLEL(recompute_time),
     .help = "Compute time with `recompute` over that without, at the same micro-batch, such as "
             "`1.3`; left out where it is not stated."},
    {.name = "efa",
     .kind = SCHEMA_FLAG,
     .default_text = "yes",
     .offset = PARALLEL(efa),
     .help = "Nodes exchange over EFA where the instance type has it; `no`: over one network card "
             "of at most 100 Gbit/s."},
    {.name = "step_delay",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 60,
     .offset = PARALLEL(step_delay),
     .help = "Latency of an optimizer step, for each doubling of the accelerators; default: 1.2 "
             "ms, as fitted; `0s` with CUDA graphs."},
};

const struct schema parallel_schema = {
    .name = "training.parallel",
    SCHEMA_KEYS(parallel_keys),
    .size = sizeof(struct parallel_spec),
    .help = "How the model is spread over the accelerators, and in which portions it is fed.",
};
