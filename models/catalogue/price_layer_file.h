/* SPDX-License-Identifier: GPL-3.0-or-later
 * A user's file of prices of instances, whose format catalogue.h gives: rows of several kinds, each
 * with the columns that belong to it. */
#ifndef FLEETCAST_MODELS_PRICE_LAYER_FILE_H
#define FLEETCAST_MODELS_PRICE_LAYER_FILE_H

#include "models/catalogue/catalogue_input.h"

#include <stdbool.h>

/* Reads a file that price_layers.h opened, and closes it. Types and regions must have been read.
 * All errors are told; false when there was one. */
bool price_layer_file_read(struct catalogue_input *opened);

#endif
