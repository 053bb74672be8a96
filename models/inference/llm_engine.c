/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_engine.h"

#include <math.h>

/* Of python-2024: the middle of the 5 to 13 ms of idle accelerator a step that vLLM's own
 * measurements of its version 0.5 show (vllm-project/vllm, RFC 6854). */
#define HOST_2024_S 9e-3

const struct llm_engine_profile llm_engine_profiles[LLM_ENGINE_COUNT] = {
    [LLM_ENGINE_TUNED] = {1.0, 0.85, 1.25, 0,
                          "x 0.85 to 1.25 on all times (90 %), from 38 rows of TensorRT-LLM and "
                          "vLLM"},
    [LLM_ENGINE_2024] =
        {1.0, 0.75, 1.5, HOST_2024_S,
         "9 ms of host a step, from vLLM's RFC 6854, and x 0.75 to 1.5 on all times "
         "(90 %), from 10 rows of vLLM 0.2 to 0.6"},
    [LLM_ENGINE_2023] = {2.5, 1.4, 3.0, 0,
                         "x 1.4 to 3 on all times (90 %), about 2.5, from 7 rows of TGI 1.0"}};

struct distribution llm_engine_factor(enum llm_engine engine)
{
    const struct llm_engine_profile *p = &llm_engine_profiles[engine];
    if (engine == LLM_ENGINE_2023) { /* leans to its upper end */
        return (struct distribution){.family = DISTRIBUTION_TRIANGULAR,
                                     .p = {0.98, p->usual, 3.305},
                                     .low = -HUGE_VAL,
                                     .high = HUGE_VAL};
    }
    return distribution_from_interval(p->low, p->high, false);
}
