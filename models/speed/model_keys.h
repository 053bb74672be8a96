/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a model: the name of a published one, or its figures, or a published
 * one with some figures of its own. */
#ifndef FLEETCAST_MODELS_MODEL_KEYS_H
#define FLEETCAST_MODELS_MODEL_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

/* `model: llama-2-7b`, `model: {preset: llama-2-7b, sequence: 2048}`, `model: {parameters: 7B,
 * precision: bf16}`. What is not given comes from the preset, see model_shape.h. */
struct model_spec {
    const char *preset; /* NULL: none */
    struct place preset_place;
    int class; /* enum model_class; -1 absent */
    struct number parameters, active_parameters, trained_parameters;
    struct number layers, hidden, heads, sequence, vocabulary;
    struct number experts, experts_per_token; /* of a layer with experts */
    struct number gmac, pixels, activations;
    struct number bytes_per_weight; /* of weights that are not trained */
    int precision;                  /* enum precision; -1 absent */
};
extern const struct schema model_schema;

#endif
