/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spend up to each date as a fan around its P50, one panel per strategy, against the budget. */
#ifndef FLEETCAST_PLOTS_CHART_SPEND_H
#define FLEETCAST_PLOTS_CHART_SPEND_H

#include "plots/charts/chart_context.h"

enum chart_result chart_spend(struct chart_script *s, const struct chart_context *c);

#endif
