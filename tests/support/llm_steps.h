/* SPDX-License-Identifier: GPL-3.0-or-later
 * One language-model replica, step by step and token by token, the cache in blocks of 16: the
 * reference of models/inference/llm_replica.h. Slow, and as plain as can be. */
#ifndef FLEETCAST_TESTS_LLM_STEPS_H
#define FLEETCAST_TESTS_LLM_STEPS_H

#include "models/inference/llm_replica.h"

/* A request of a list, in order of arrival; first_s and done_s are written. */
struct llm_steps_request {
    double arrived_s, first_s, done_s;
    uint32_t prompt, output, cached;
};

struct llm_steps_result {
    uint64_t steps, evictions;
};

/* Serves all of them. block: tokens of a block of the cache; 0: no rounding, and waste_tokens of
 * the rules instead. */
struct llm_steps_result llm_steps_serve(const struct llm_rules *rules, uint32_t block,
                                        struct llm_steps_request *requests, size_t count);

#endif
