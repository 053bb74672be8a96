/* SPDX-License-Identifier: GPL-3.0-or-later
 * The distribution of the cost, one histogram per strategy on a common axis, with the budget. */
#ifndef FLEETCAST_PLOTS_CHART_COST_H
#define FLEETCAST_PLOTS_CHART_COST_H

#include "plots/charts/chart_context.h"

enum chart_result chart_cost(struct chart_script *s, const struct chart_context *c);

#endif
