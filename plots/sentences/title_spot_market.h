/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the chart of spot prices: about the pools and the world that are shown alone.
 *   - One pool: "Spot in Z loses its room for 16 nodes 34 times" ("once"; "never has room for …";
 *     "never loses its room for …"), several: "Spot loses its room for 16 nodes 12 to 40 times in
 *     each of 3 zones" ("34 times" when all the same), and
 *   - "while its price stays at $0.973 an hour", or "moves between $0.30 and $0.42". That prices
 *     drive it, or do not, is not said. */
#ifndef FLEETCAST_PLOTS_TITLE_SPOT_MARKET_H
#define FLEETCAST_PLOTS_TITLE_SPOT_MARKET_H

#include "engine/text.h"
#include "plots/facts/spot_paths.h"

/* p->count > 0. */
void title_spot_market(struct text *out, const struct spot_paths *p, const char *currency);

#endif
