/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading dated rows as they are shipped: on-demand prices, spot prices and advisor buckets. Every
 * row is checked by itself (type, region, day, price, currency), then every file for keys that it
 * has twice. */
#ifndef FLEETCAST_MODELS_PRICE_FILES_H
#define FLEETCAST_MODELS_PRICE_FILES_H

#include "models/catalogue/catalogue_input.h"

#include <stdbool.h>

/* Types and regions must have been read. Rows go to the books of c, which are not yet frozen. All
 * errors are told; false when there was one. */
bool price_files_read_on_demand(struct catalogue *c, struct diagnostics *d);
bool price_files_read_spot(struct catalogue *c, struct diagnostics *d);
bool price_files_read_advisor(struct catalogue *c, struct diagnostics *d);

#endif
