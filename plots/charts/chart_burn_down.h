/* SPDX-License-Identifier: GPL-3.0-or-later
 * "burn-down": what is left of the budget over time, a panel for each strategy. Only with a budget.
 */
#ifndef FLEETCAST_PLOTS_CHART_BURN_DOWN_H
#define FLEETCAST_PLOTS_CHART_BURN_DOWN_H

#include "plots/charts/chart_context.h"

enum chart_result chart_burn_down(struct chart_script *s, const struct chart_context *c);

#endif
