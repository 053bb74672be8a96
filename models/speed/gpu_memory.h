/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether a training step fits into the memory of one accelerator.
 *
 * Weights, gradients and optimizer state: 16 bytes a parameter under mixed-precision Adam (2 + 2 +
 * 4 FP32 copy + 8 moments), of which ZeRO 1, 2 and 3 divide the last part, the last two, all of
 * them by the data-parallel ways (Rajbhandari et al., arXiv 1910.02054, figure 1).
 *
 * Activations of a transformer: L s b h a bytes with a = 34 where nothing is computed again and
 * attention is fused or computed again (selective), 34 + 5 heads s / h with plain attention, 2 with
 * full recomputation, which needs one whole layer beside (Korthikanti et al., arXiv 2205.05198,
 * equations 1, 2, 4 and 6; table 2). The first pipeline stage holds as many as an unsplit model
 * (section 4.2.3 there), so the stages do not divide it. Sizes are of 16-bit elements; FP32 and
 * TF32 take twice as much. Logits: 6 bytes a token and entry (16-bit scores, FP32 in the loss).
 * ZeRO 3 gathers two layers' weights.
 *
 * Activations of images: 5.4 bytes (at 16 bits) an element that a layer puts out. That is fitted,
 * to ResNet-50 on 16 GiB: 208 images in mixed precision are the most that one centre could use
 * (NCSA HAL wiki, "ResNet-50 scaling"), NVIDIA's script runs 256, and 128 in FP32
 * (DeepLearningExamples, DGX1_RN50_AMP_90E.sh, DGX1_RN50_FP32_90E.sh); it puts 208 at 0.90 of the
 * capacity and 256 at 1.08. Without a count of elements 14.6 MB for 10^9 multiply-adds, the same
 * for ResNet-50.
 *
 * need = 1.05 (all of that) + 1.5 GiB for context, workspaces and fragments, capacity = 0.97 of the
 * device's memory: rules of thumb, checked on published runs. Refuse above 1.10 of the capacity,
 * warn above 0.90. */
#ifndef FLEETCAST_MODELS_GPU_MEMORY_H
#define FLEETCAST_MODELS_GPU_MEMORY_H

#include "models/speed/memory_keys.h"
#include "models/speed/model_shape.h"
#include "models/speed/parallel_keys.h"

#include <stdbool.h>

#define GPU_MEMORY_REFUSE 1.10
#define GPU_MEMORY_WARN   0.90

/* What one step's memory is computed from; all numbers certain. */
struct memory_layout {
    struct model_shape shape;
    double accelerators; /* of the job */
    double tensor, pipeline;
    double expert; /* data-parallel ways that share the experts; 0 or 1: each has all of them */
    int zero;
    double micro_batch; /* samples on one replica at a time */
    enum recompute recompute;
    enum optimizer optimizer;
    bool master_weights;
    double gradient_bytes; /* 0: as the weights */
    enum attention attention;
    bool sequence_parallel;
    double activation_bytes; /* of one sample, measured; 0: by the formula */
    enum offload offload;
};

enum memory_term {
    MEMORY_WEIGHTS,
    MEMORY_GRADIENTS,
    MEMORY_OPTIMIZER,
    MEMORY_ACTIVATIONS,
    MEMORY_LOGITS,
    MEMORY_GATHER,
    MEMORY_RESERVE, /* 5 % of the others and 1.5 GiB */
    MEMORY_TERM_COUNT
};
extern const char *const memory_term_names[MEMORY_TERM_COUNT];

struct gpu_memory {
    double bytes[MEMORY_TERM_COUNT]; /* on the fullest accelerator */
    double need_bytes, capacity_bytes;
    double offloaded_bytes;   /* of one accelerator, in the host's memory */
    enum memory_term binding; /* the largest but the reserve */
    bool activations_known;   /* false: they, the logits, count as nothing: need is a lower bound */
};

/* Copies of the model beside each other: accelerators / (tensor x pipeline), at least 1. */
double memory_data_ways(const struct memory_layout *l);
/* device_bytes: memory of one accelerator. The shape's parameters must be known. */
struct gpu_memory gpu_memory_of(const struct memory_layout *l, double device_bytes);

static inline double gpu_memory_share(const struct gpu_memory *m)
{
    return m->need_bytes / m->capacity_bytes;
}

#endif
