/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the catalogue's files are: named, beside the program that was built here, or installed. A
 * folder counts only when it holds every file, so that a stray one is not mistaken for it. */
#ifndef FLEETCAST_MODELS_CATALOGUE_FOLDER_H
#define FLEETCAST_MODELS_CATALOGUE_FOLDER_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

enum catalogue_file {
    FILE_ACCELERATORS,
    FILE_INSTANCE_TYPES,
    FILE_REGIONS,
    FILE_PRICES_ON_DEMAND,
    FILE_PRICES_SPOT,
    FILE_SPOT_ADVISOR,
    CATALOGUE_FILE_COUNT
};
extern const char *const catalogue_file_names[CATALOGUE_FILE_COUNT]; /* "accelerators.csv" … */

/* The folder, in the arena; NULL when there is none, told in d. wanted: a folder, or NULL for
 * FLEETCAST_CATALOGUE and the usual places. A named folder that lacks a file is an error, not
 * passed over. */
const char *catalogue_find_folder(const char *wanted, struct arena *arena, struct diagnostics *d);

#endif
