/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the chart of a search's offers; see titles.h for what titles may claim. "Alone",
 * since together they may cover each other's usage.
 *   - Nothing signed is surely dearer than the best size of some offer (the interval of its regret
 *     lies above zero; of these, the least mean): "4 of <offer> alone cost $12,300 less on average
 *     than nothing signed".
 *   - The best size of every offer is none: "No offer alone costs less than nothing signed".
 *   - Else: "No offer alone is clearly cheaper than nothing signed". */
#ifndef FLEETCAST_PLOTS_TITLE_OFFERS_H
#define FLEETCAST_PLOTS_TITLE_OFFERS_H

#include "engine/text.h"
#include "plots/facts/offer_curves.h"

void title_offers(struct text *out, const struct offer_curves *c, const char *currency);

#endif
