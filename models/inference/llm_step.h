/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long one step of a language-model engine takes, and how many tokens its key-value cache
 * holds. A step processes tokens (one of every decoding sequence, and prompt tokens) and reads the
 * cached tokens of the decoding ones:
 *
 *   T = max( W / (B e_m), 2 P n / (F e_c) ) + k K / (B e_m) + A + h + tau L + t_1 b + C(n)
 *
 * W bytes of weights, B and F bytes/s and FLOP/s of the whole group of accelerators, P parameters
 * that are active, n tokens, K cached tokens read, k bytes of a cached token, A the attention of
 * prompt tokens, h the host's time between steps, L layers, b decoding sequences, C(n) the
 * all-reduces of tensor parallelism. The form is a roofline with overheads per layer and per
 * sequence; e_m, e_c, tau, t_1 and alpha were fitted to 38 published rows of TensorRT-LLM and vLLM
 * (docs/models.md says with which errors). */
#ifndef FLEETCAST_MODELS_LLM_STEP_H
#define FLEETCAST_MODELS_LLM_STEP_H

#include <stdbool.h>

/* What the weights and the cache lie on. All > 0 but where it says otherwise. */
struct llm_hardware {
    double accelerators;     /* g, of one replica */
    double flops;            /* F of one, per second, at the precision used */
    double bytes_per_s;      /* B of one */
    double memory_bytes;     /* of one */
    double link_bytes_per_s; /* beta, usable, of one; unused for g = 1 */
};

struct llm_model {
    double parameters, active_parameters;
    double layers, hidden;
    double kv_heads, head_size;
    double bytes_per_weight, bytes_per_kv; /* 2 at 16 bit, 1 at 8 */
};

/* Of the engine: a profile, or what a measurement says. */
struct llm_overheads {
    double compute_share; /* e_c */
    double memory_share;  /* e_m */
    double layer_s;       /* tau */
    double sequence_s;    /* t_1 */
    double host_s;        /* of a step, in which the accelerators wait for the host */
    double allreduce_s;   /* alpha */
    double memory_used;   /* u: share of memory for weights and cache */
    double reserve_bytes; /* of each accelerator, beside those */
};

/* 0.70 (0.57 where the weights are computed at 8 bit), 0.92, 0.16 ms, 2 us, 12 us, 0.9, 1.5 GB. */
struct llm_overheads llm_overheads_default(bool eight_bit);

/* The equation with its constants gathered; times in seconds. */
struct llm_step {
    double weights_s;   /* a step never takes less in compute */
    double token_s;     /* of compute, of one token */
    double cached_s;    /* kappa: reading one cached token */
    double attention_s; /* of one prompt token on one cached token */
    double fixed_s;     /* tau L + 2 L alpha */
    double sequence_s;
    double exchange_s; /* of one token over the links */
    double kv_tokens;  /* that the cache holds; <= 0: the weights do not fit */
    double kv_bytes_per_token;
    double weights_bytes; /* of the group */
};

/* factor: on all times (1: none). */
struct llm_step llm_step_make(const struct llm_model *m, const struct llm_hardware *h,
                              const struct llm_overheads *o, double factor);

/* tokens = decoding + prompt tokens; cached: of the decoding sequences; attention: the sum over the
 * chunks of prompts of llm_step_attention. */
static inline double llm_step_attention(double prompt, double before)
{
    return prompt * before + 0.5 * prompt * prompt;
}
static inline double llm_step_s(const struct llm_step *s, double tokens, double decoding,
                                double cached, double attention)
{
    double compute_s = s->token_s * tokens;
    return (compute_s > s->weights_s ? compute_s : s->weights_s) + s->cached_s * cached +
           s->attention_s * attention + s->fixed_s + s->sequence_s * decoding +
           s->exchange_s * tokens;
}
/* The same of a step that only decodes, without what reading the cache takes. */
static inline double llm_step_decoding_s(const struct llm_step *s, double decoding)
{
    double compute_s = s->token_s * decoding;
    return (compute_s > s->weights_s ? compute_s : s->weights_s) + s->fixed_s +
           s->sequence_s * decoding + s->exchange_s * decoding;
}

#endif
