/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_step.h"

struct llm_overheads llm_overheads_default(bool eight_bit)
{
    return (struct llm_overheads){.compute_share = eight_bit ? 0.57 : 0.70,
                                  .memory_share = 0.92,
                                  .layer_s = 0.16e-3,
                                  .sequence_s = 2e-6,
                                  .allreduce_s = 12e-6,
                                  .memory_used = 0.9,
                                  .reserve_bytes = 1.5e9};
}

struct llm_step llm_step_make(const struct llm_model *m, const struct llm_hardware *h,
                              const struct llm_overheads *o, double factor)
{
    double g = h->accelerators;
    double flops = g * h->flops * o->compute_share;
    double bytes_per_s = g * h->bytes_per_s * o->memory_share;
    double weights_bytes = m->parameters * m->bytes_per_weight;
    /* Of a mixture of experts a step reads about what it computes with, once a batch is large all
     * of it: all is counted, which is slow rather than fast. */
    double kv = 2.0 * m->layers * m->kv_heads * m->head_size * m->bytes_per_kv;
    bool group = g > 1;
    return (struct llm_step){
        .weights_s = factor * weights_bytes / bytes_per_s,
        .token_s = factor * 2.0 * m->active_parameters / flops,
        .cached_s = factor * kv / bytes_per_s,
        .attention_s = factor * 4.0 * m->layers * m->hidden / flops,
        .fixed_s =
            factor * (o->host_s + m->layers * (o->layer_s + (group ? 2.0 * o->allreduce_s : 0.0))),
        .sequence_s = factor * o->sequence_s,
        /* Two all-reduces a layer of one activation of 16 bit: 2 x 4 d (g - 1) / (g beta). */
        .exchange_s = group ? factor * 2.0 * m->layers * 4.0 * m->hidden * (g - 1.0) /
                                  (g * h->link_bytes_per_s)
                            : 0.0,
        .kv_tokens =
            (g * (o->memory_used * h->memory_bytes - o->reserve_bytes) - weights_bytes) / kv,
        .kv_bytes_per_token = kv,
        .weights_bytes = weights_bytes,
    };
}
