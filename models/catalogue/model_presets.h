/* SPDX-License-Identifier: GPL-3.0-or-later
 * Published models by name: what `model: llama-2-7b` stands for. Only what the publication or its
 * configuration file says; what it does not say stays 0, and models/speed/model_shape derives it
 * or does without. */
#ifndef FLEETCAST_MODELS_MODEL_PRESETS_H
#define FLEETCAST_MODELS_MODEL_PRESETS_H

#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

enum model_class {
    MODEL_LLM,     /* decoder, work in tokens */
    MODEL_ENCODER, /* transformer over short sequences (BERT, ViT), work in sequences */
    MODEL_CNN,     /* convolution net, work in images */
    MODEL_OTHER,   /* anything else: its speed must be stated */
    MODEL_CLASS_COUNT
};
extern const char *const model_class_names[]; /* "llm" …, NULL at the end: choices of a key */

/* 0 = the publication does not say, or it means nothing for the class. */
struct model_preset {
    const char *name; /* "llama-2-7b" */
    enum model_class class;
    double parameters;        /* all of them: what must be held in memory */
    double active_parameters; /* that take part in one token's computation; mixtures of experts */
    double layers, hidden, heads;
    double kv_heads, head_size; /* heads whose keys and values are cached; elements of one */
    double sequence;            /* tokens of one sequence in its training */
    double vocabulary;          /* entries, padded as trained */
    double gmac;                /* multiply-adds of one forward pass of one sample, in 1e9 */
    double pixels;              /* side of the square image that gmac and activations are of */
    double activations; /* elements that the layers of one forward pass of one sample put out */
    double experts, experts_per_token; /* of each layer of a mixture of experts */
    const char *date, *source, *note;
    int line;
};

size_t catalogue_models(const struct catalogue *c);
const struct model_preset *catalogue_model_at(const struct catalogue *c, size_t index);
const struct model_preset *catalogue_model(const struct catalogue *c,
                                           const char *name);                     /* or NULL */
const char *catalogue_suggest_model(const struct catalogue *c, const char *name); /* or NULL */

/* ---- loading, by catalogue.c ---- */

struct model_presets {
    struct model_preset *rows; /* by name, in the arena */
    size_t count;
    const char **names;
};
/* Reads model_presets.csv of the catalogue's folder; a folder without it knows no models. */
bool model_presets_read(struct catalogue *c, struct diagnostics *d);

#endif
