/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a model is, resolved: the scenario's figures over the preset's, and what neither says
 * derived from the parameters. Speed and memory are computed from this struct alone.
 *
 * A transformer without layers and width: P = 12 L h^2 (four attention and eight feed-forward
 * matrices of h^2 in each layer; Narayanan et al., arXiv 2104.04473, equation 2 without the
 * embeddings) and L = h / 128, the shape of published decoders from 1B to 175B, hence
 * h = (128 P / 12)^(1/3): good to 2 % at 7B and 175B, +18 % at 1.3B, +43 % at 124M. P is that of
 * the active parameters.
 *
 * A mixture of n experts in a layer, of which each token goes to k: P = S + X and active S + X k/n,
 * so that X = (P - active) / (1 - k/n) are in experts. */
#ifndef FLEETCAST_MODELS_MODEL_SHAPE_H
#define FLEETCAST_MODELS_MODEL_SHAPE_H

#include "engine/text.h"
#include "models/catalogue/model_presets.h"
#include "models/speed/model_keys.h"

#include <stdbool.h>

/* Figures that nobody stated: bits of `derived`. */
enum model_derived {
    MODEL_DERIVED_CLASS = 1 << 0, /* taken for an llm: only parameters are given */
    MODEL_DERIVED_LAYERS = 1 << 1,
    MODEL_DERIVED_HIDDEN = 1 << 2,
    MODEL_DERIVED_HEADS = 1 << 3
};

/* 0 = unknown: the scenario does not say, no preset does, and it cannot be derived. */
struct model_shape {
    enum model_class class;
    double parameters;            /* all; 0: not even these are known */
    double active_parameters;     /* <= parameters */
    double trained_parameters;    /* <= parameters; below: the others are frozen */
    double experts;               /* of each layer of a mixture; 0: none, or not known */
    double expert_parameters;     /* of all those in experts; 0: none, or not known */
    double experts_per_token;     /* 0: likewise */
    double layers, hidden, heads; /* llm and encoder: known as soon as the parameters are */
    double sequence, vocabulary;
    double gmac;             /* of one sample at `pixels`, 1e9 multiply-adds forward */
    double pixels;           /* 0: gmac and activations are of the samples as they are */
    double activations;      /* of one sample at `pixels`, elements */
    double bytes_per_weight; /* of frozen weights; 0: as the precision has it */
    int precision;           /* enum precision; -1 not stated */
    const char *preset;      /* its name, or NULL */
    unsigned derived;        /* enum model_derived */
};

/* In this world (drawn NULL: as planning sees it). preset: that of spec->preset, or NULL. Active
 * and trained parameters that exceed all parameters in a world are cut to them. Allocates nothing.
 */
struct model_shape model_shape_resolve(const struct model_spec *spec,
                                       const struct model_preset *preset, const double *drawn);

/* What is wrong with the keys as such, as a sentence in out, at *where: an unknown preset, a part
 * of the parameters that exceeds all. False then. */
bool model_shape_check(const struct model_spec *spec, const struct catalogue *c, struct text *out,
                       struct place *where);

/* Some of the trained figures are frozen. */
static inline bool model_shape_frozen(const struct model_shape *m)
{
    return m->trained_parameters < m->parameters;
}

/* "hidden 4150, layers 32.4, heads 32": what was derived, for the register of assumptions; nothing
 * is added when nothing was. */
void model_shape_tell_derived(const struct model_shape *m, struct text *out);

#endif
