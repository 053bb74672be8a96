/* SPDX-License-Identifier: GPL-3.0-or-later
 * A user's price file, of either kind: what it is, its header says. Prices of instances have the
 * columns that catalogue.h gives, prices of storage and network those of storage_network.csv:
 *     region, item, unit, date, price, currency   as there
 *     up_to    optional: where a tier of the quantity ends (a month's, or a volume's); empty:
 * nowhere source   optional; where it comes from A row replaces the rows of earlier layers with the
 * same region, item and date, or stands beside the others. */
#ifndef FLEETCAST_MODELS_PRICE_LAYERS_H
#define FLEETCAST_MODELS_PRICE_LAYERS_H

#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stdint.h>

struct catalogue;

/* As layer `layer` (from 1), whose name is the path. All errors are told; false when there was one.
 */
bool price_layer_read(struct catalogue *c, uint32_t layer, struct diagnostics *d);

#endif
