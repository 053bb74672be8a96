/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests that came against what was ready to serve them, over a week of the plan world. */
#ifndef FLEETCAST_PLOTS_CHART_DEMAND_H
#define FLEETCAST_PLOTS_CHART_DEMAND_H

#include "plots/charts/chart_context.h"

enum chart_result chart_demand(struct chart_script *s, const struct chart_context *c);

#endif
