/* SPDX-License-Identifier: GPL-3.0-or-later
 * Checks that need all rows: a spot price above the on-demand price of its date, and a price file's
 * row that a newer row of an earlier layer ends, which its author may not have meant. Both are
 * warnings: each can be right. */
#ifndef FLEETCAST_MODELS_PRICE_CHECKS_H
#define FLEETCAST_MODELS_PRICE_CHECKS_H

#include "models/catalogue/catalogue_store.h"

/* Spot prices are published with four decimals and capped at the on-demand price, so a capped one
 * may lie this much above its cap. It is not told. */
#define SPOT_ROUNDING (MONEY_UNIT / 20000)

/* The books must be frozen. */
void price_checks_spot(const struct catalogue *c, struct diagnostics *d);
/* False when memory is out, told in d. */
bool price_checks_layers(const struct catalogue *c, struct diagnostics *d);

#endif
