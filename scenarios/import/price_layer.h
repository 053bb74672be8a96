/* SPDX-License-Identifier: GPL-3.0-or-later
 * Gathered rows written as the price layer that `price_files` takes: the columns and words of
 * models/catalogue/data/README.md, prices per node-hour in the currency of their region. */
#ifndef FLEETCAST_SCENARIOS_PRICE_LAYER_H
#define FLEETCAST_SCENARIOS_PRICE_LAYER_H

#include "models/catalogue/catalogue.h"
#include "scenarios/import/price_rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Types and regions of the rows are positions in this catalogue; cells that a kind of row has no
 * value for stay empty. False when a write failed (errno says why). out stays the caller's. */
bool price_layer_write(const struct imported_price *rows, size_t count, const struct catalogue *c,
                       FILE *out);

#endif
