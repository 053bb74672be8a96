/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spot prices of the plan world over time, with the losses of capacity marked, and a lane for each
 * pool that shows when there is room for the gang. */
#ifndef FLEETCAST_PLOTS_CHART_SPOT_MARKET_H
#define FLEETCAST_PLOTS_CHART_SPOT_MARKET_H

#include "plots/charts/chart_context.h"

enum chart_result chart_spot_market(struct chart_script *s, const struct chart_context *c);

#endif
