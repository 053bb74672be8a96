/* SPDX-License-Identifier: GPL-3.0-or-later
 * What engines of a generation have in common beside the step equation: one factor on all times,
 * uncertain, and the time of each step in which the accelerators wait for the host. docs/models.md
 * says what was measured. */
#ifndef FLEETCAST_MODELS_LLM_ENGINE_H
#define FLEETCAST_MODELS_LLM_ENGINE_H

#include "engine/distribution.h"
#include "models/inference/llm_keys.h"

struct llm_engine_profile {
    double usual, low, high; /* factor on all times; the 90 % interval */
    double host_s;           /* of a step, before the factor */
    const char *evidence;    /* a sentence for the register of assumptions */
};
extern const struct llm_engine_profile llm_engine_profiles[LLM_ENGINE_COUNT];

/* To be prepared by the caller. */
struct distribution llm_engine_factor(enum llm_engine engine);

#endif
