/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/gpu_memory.h"

#include <math.h>

static const double GIB = 1073741824.0;

const char *const memory_term_names[MEMORY_TERM_COUNT] = {
    "weights", "gradients", "optimizer", "activations", "logits", "gather", "reserve"};

/* See the header. */
#define ALL_PARTS        34.0 /* of s b h bytes: what one layer keeps with fused attention */
#define TENSOR_PARTS     24.0 /* of them those that tensor parallelism alone divides */
#define CHECKPOINT_PARTS 2.0
#define LOGIT_BYTES      6.0
#define ELEMENT_BYTES    5.4
#define GMAC_BYTES       14.6e6
#define GATHERED_LAYERS  2.0
#define OVERHEAD         0.05
#define RESERVED_BYTES   (1.5 * GIB)
#define USABLE           0.97

double memory_data_ways(const struct memory_layout *l)
{
    return fmax(1, floor(l->accelerators / (l->tensor * l->pipeline)));
}

static bool is_full_precision(const struct memory_layout *l)
{
    return l->shape.precision == PRECISION_FP32 || l->shape.precision == PRECISION_TF32 ||
           l->shape.precision == PRECISION_FP64;
}

/* Of weights and activations. */
static double element_bytes(const struct memory_layout *l)
{
    return l->shape.precision == PRECISION_FP64 ? 8 : is_full_precision(l) ? 4 : 2;
}

/* Moments, and the FP32 copy of weights that have fewer bits. */
static double optimizer_bytes(const struct memory_layout *l)
{
    static const double moments[OPTIMIZER_COUNT] = {8, 2, 4, 0};
    double copy = l->master_weights && !is_full_precision(l) ? 4 : 0;
    return copy + moments[l->optimizer];
}

/* Parameters that this accelerator would hold of all without ZeRO, shared among so many ways. */
struct held_part {
    double parameters, ways;
};

/* Adds the state of one part; returns its optimizer's. */
static double add_part(struct gpu_memory *m, const struct memory_layout *l,
                       const struct held_part *part)
{
    const double ways = part->ways, split = part->parameters / fmax(1, l->shape.parameters);
    const double trained = l->shape.trained_parameters * split;
    const double frozen = part->parameters - trained;
    const double frozen_bytes =
        l->shape.bytes_per_weight > 0 ? l->shape.bytes_per_weight : element_bytes(l);
    const double gradient = l->gradient_bytes > 0 ? l->gradient_bytes : element_bytes(l);
    m->bytes[MEMORY_WEIGHTS] +=
        (trained * element_bytes(l) + frozen * frozen_bytes) / (l->zero >= 3 ? ways : 1);
    m->bytes[MEMORY_GRADIENTS] += trained * gradient / (l->zero >= 2 ? ways : 1);
    return trained * optimizer_bytes(l) / (l->zero >= 1 ? ways : 1);
}

static void add_state(struct gpu_memory *m, const struct memory_layout *l)
{
    const double split = l->tensor * l->pipeline, ways = memory_data_ways(l);
    const double expert = fmax(1, fmin(l->expert, ways));
    const double experts = expert > 1 ? l->shape.expert_parameters : 0;
    const struct held_part shared = {(l->shape.parameters - experts) / split, ways};
    const struct held_part own = {experts / expert / split, ways / expert};
    double optimizer = add_part(m, l, &shared) + (experts > 0 ? add_part(m, l, &own) : 0);
    if (l->offload == OFFLOAD_OPTIMIZER) {
        m->offloaded_bytes = optimizer;
        optimizer = 0;
    }
    m->bytes[MEMORY_OPTIMIZER] = optimizer;
    if (l->zero >= 3 && ways > 1 && l->shape.layers > 0) {
        m->bytes[MEMORY_GATHER] = GATHERED_LAYERS * element_bytes(l) *
                                  (l->shape.parameters - experts + experts / expert) /
                                  (l->tensor * l->shape.layers);
    }
}

/* What one layer of a transformer keeps while it is differentiated, over s b h bytes. */
static double layer_parts(const struct memory_layout *l)
{
    const struct model_shape *s = &l->shape;
    double whole = l->sequence_parallel ? 0 : ALL_PARTS - TENSOR_PARTS;
    double parts = whole + (ALL_PARTS - whole) / l->tensor;
    bool matrix = l->attention == ATTENTION_PLAIN && l->recompute != RECOMPUTE_SELECTIVE;
    return parts + (matrix ? 5 * s->heads * s->sequence / (s->hidden * l->tensor) : 0);
}

static void add_transformer(struct gpu_memory *m, const struct memory_layout *l)
{
    const struct model_shape *s = &l->shape;
    const double sbh = s->sequence * l->micro_batch * s->hidden * element_bytes(l) / 2;
    double parts = s->layers * layer_parts(l);
    if (l->recompute == RECOMPUTE_FULL) {
        parts = s->layers * CHECKPOINT_PARTS / l->tensor + layer_parts(l);
    }
    m->bytes[MEMORY_ACTIVATIONS] = sbh * parts;
    m->bytes[MEMORY_LOGITS] =
        LOGIT_BYTES * s->sequence * l->micro_batch * s->vocabulary / l->tensor;
    m->activations_known = true;
}

static void add_images(struct gpu_memory *m, const struct memory_layout *l)
{
    const struct model_shape *s = &l->shape;
    double sample = s->activations > 0 ? ELEMENT_BYTES * s->activations : GMAC_BYTES * s->gmac;
    m->bytes[MEMORY_ACTIVATIONS] = sample * l->micro_batch * element_bytes(l) / 2;
    m->activations_known = true;
}

static void add_activations(struct gpu_memory *m, const struct memory_layout *l)
{
    const struct model_shape *s = &l->shape;
    if (l->activation_bytes > 0) {
        m->bytes[MEMORY_ACTIVATIONS] = l->activation_bytes * l->micro_batch;
        m->activations_known = true;
    } else if (s->class == MODEL_LLM || s->class == MODEL_ENCODER) {
        if (s->sequence > 0) {
            add_transformer(m, l);
        }
    } else if (s->activations > 0 || s->gmac > 0) {
        add_images(m, l);
    }
}

struct gpu_memory gpu_memory_of(const struct memory_layout *l, double device_bytes)
{
    struct gpu_memory m = {.capacity_bytes = USABLE * device_bytes};
    add_state(&m, l);
    add_activations(&m, l);
    double sum = 0;
    for (int i = 0; i < MEMORY_RESERVE; i++) {
        sum += m.bytes[i];
        if (m.bytes[i] > m.bytes[m.binding]) {
            m.binding = (enum memory_term)i;
        }
    }
    m.bytes[MEMORY_RESERVE] = OVERHEAD * sum + RESERVED_BYTES;
    m.need_bytes = sum + m.bytes[MEMORY_RESERVE];
    return m;
}
