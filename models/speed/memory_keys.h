/* SPDX-License-Identifier: GPL-3.0-or-later
 * What memory depends on beside the model and how it is spread: optimizer, attention, what the host
 * holds. */
#ifndef FLEETCAST_MODELS_MEMORY_KEYS_H
#define FLEETCAST_MODELS_MEMORY_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

/* By what it keeps for each trained parameter beside weight and gradient, in bytes. */
enum optimizer {
    OPTIMIZER_ADAM,      /* two FP32 moments: 8; also AdamW and LAMB */
    OPTIMIZER_ADAM_8BIT, /* two 8-bit moments: 2 (Dettmers et al., arXiv 2110.02861) */
    OPTIMIZER_MOMENTUM,  /* one FP32 moment: 4; SGD with momentum, LARS, Lion */
    OPTIMIZER_SGD,       /* nothing; also Adafactor, whose factors are small (arXiv 1804.04235) */
    OPTIMIZER_COUNT
};
extern const char *const optimizer_names[]; /* as the enum, NULL */
enum attention { ATTENTION_FUSED, ATTENTION_PLAIN };
enum offload { OFFLOAD_NONE, OFFLOAD_OPTIMIZER };

struct memory_spec {
    int optimizer;                /* enum optimizer; -1 absent */
    bool master_weights;          /* 16-bit weights have an FP32 copy */
    struct number gradient_bytes; /* of one gradient */
    int attention;                /* enum attention; -1 absent */
    bool sequence_parallel;       /* tensor parallelism splits all activations */
    bool sequence_parallel_given;
    struct number activation_size; /* bytes of one sample's activations, where measured */
    int offload;                   /* enum offload */
    struct number data_cache;      /* host, bytes a node */
    int64_t loader_workers;        /* processes a node */
    struct number worker_memory;   /* bytes of one */
    bool check;                    /* what does not fit is refused */
};
extern const struct schema memory_schema; /* the section `memory` of a training job */

#endif
