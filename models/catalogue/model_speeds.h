/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measured training speeds of published models: for models whose speed no formula gives. */
#ifndef FLEETCAST_MODELS_MODEL_SPEEDS_H
#define FLEETCAST_MODELS_MODEL_SPEEDS_H

#include "models/catalogue/model_presets.h"

struct model_speed {
    const struct model_preset *model;
    const struct accelerator *accelerator;
    double accelerators; /* of one node, that worked together */
    enum precision precision;
    double batch_per_accelerator; /* samples; 0: not said */
    double samples_per_s;         /* of all of them */
    const char *date, *source, *note;
    int line;
};

/* The speed of this model on so many of these accelerators in this precision; NULL when nobody
 * measured exactly that: other counts are not guessed from it. */
const struct model_speed *catalogue_model_speed(const struct catalogue *c, const char *model,
                                                const struct instance_type *type,
                                                enum precision precision);

/* ---- loading, by catalogue.c ---- */

struct model_speeds {
    struct model_speed *rows; /* in the arena, in the order of the file */
    size_t count;
};
/* Reads model_speeds.csv of the catalogue's folder, after the presets; a folder without it knows no
 * speeds. */
bool model_speeds_read(struct catalogue *c, struct diagnostics *d);

#endif
