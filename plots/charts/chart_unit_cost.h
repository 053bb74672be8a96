/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a million tokens, or 1,000 requests, cost against the load that comes. */
#ifndef FLEETCAST_PLOTS_CHART_UNIT_COST_H
#define FLEETCAST_PLOTS_CHART_UNIT_COST_H

#include "plots/charts/chart_context.h"

enum chart_result chart_unit_cost(struct chart_script *s, const struct chart_context *c);

#endif
