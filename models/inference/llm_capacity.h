/* SPDX-License-Identifier: GPL-3.0-or-later
 * What one replica of a language model can do at most, in closed form, and the overheads that a
 * measurement means. A replica that always has requests waiting, all of a prompt of `in` tokens and
 * an output of `out`, works on
 *
 *   b = min(most sequences, cache / (in + out / 2))
 *
 * sequences, and serves
 *
 *   b / ( (out - 1) T(b, b, b (in + out / 2)) + b t_prefill(in) )    requests a second,
 *
 * every token of output taking one step of all; where others wait, as many prompts as the token
 * budget holds share a step, and t_prefill is the share of one. Mean lengths in
 * place of a distribution are an approximation: planning, the scale of what utilisation means, and
 * measured pairs use it; the simulation does not. */
#ifndef FLEETCAST_MODELS_LLM_CAPACITY_H
#define FLEETCAST_MODELS_LLM_CAPACITY_H

#include "models/inference/llm_replica.h"

#include <stdbool.h>

struct llm_lengths {
    double prompt, output; /* tokens, means; both >= 1 */
    double cached;         /* of the prompt, in the prefix cache: < prompt */
};

/* Sequences at a time; at least 1. */
double llm_saturated_sequences(const struct llm_rules *rules, const struct llm_lengths *lengths);
/* Requests a second. */
double llm_saturated_rate(const struct llm_rules *rules, const struct llm_lengths *lengths);
/* Sequences that a replica works on at a time, on average, where so large a share of what it serves
 * at most comes: by Little's law the fixed point of
 *
 *   n = rate ( (out - 1) T(n) + t_alone ) / (1 - rate t_prefill),
 *
 * steps with prompts of others in between making all last longer. Within a fifth of what is
 * simulated at three fifths of the load. +infinity: it has none. */
double llm_sequences_at(const struct llm_rules *rules, const struct llm_lengths *lengths,
                        double load);
/* Seconds of the steps that a prompt takes alone. */
double llm_prefill_s(const struct llm_rules *rules, const struct llm_lengths *lengths);
/* Seconds of the one step that so many prompts take together, whatever the token budget. */
double llm_batch_prefill_s(const struct llm_rules *rules, const struct llm_lengths *lengths,
                           double sequences);
/* Tokens of output a second of a batch that begins and ends together: with prompts of `in` and
 * outputs of `out` tokens
 *
 *   b out / ( prefill(b in) + sum over i = 1 .. out - 1 of T(b, b, b (in + i)) ),
 *
 * the sum in closed form. Whether the cache holds it is the caller's question. */
double llm_static_batch_tokens_per_s(const struct llm_rules *rules,
                                     const struct llm_lengths *lengths, double sequences);
/* Seconds of one step with so many sequences in the middle of their outputs. */
double llm_decode_step_s(const struct llm_rules *rules, const struct llm_lengths *lengths,
                         double sequences);

/* What was measured of one replica. */
struct llm_measured {
    double tpot_s;       /* of one sequence alone */
    double tokens_per_s; /* of output, saturated */
    struct llm_lengths lengths;
};

enum llm_fit {
    LLM_FIT_GOOD,
    LLM_FIT_TPOT_SHORT, /* shorter than reading the weights at the peak takes */
    LLM_FIT_TOO_FAST,   /* more tokens a second than the whole peak computes */
    LLM_FIT_TOO_SLOW    /* fewer than one sequence alone would make */
};

/* The rules whose step time means that measurement: the overhead of a step from tpot_s; then the
 * overhead of a sequence from tokens_per_s, or, where none explains it, the share of the peak.
 * Fills rules->step; the rest of the rules must be there. What cannot be is told, and the step is
 * then as near as it comes. */
enum llm_fit llm_fit_measured(struct llm_rules *rules, const struct llm_model *model,
                              const struct llm_hardware *hardware, struct llm_overheads o,
                              const struct llm_measured *measured);

#endif
