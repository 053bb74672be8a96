/* SPDX-License-Identifier: GPL-3.0-or-later
 * The strategies side by side, cheapest first: shape of the cost distribution, box, and the paired
 * difference to the baseline. */
#ifndef FLEETCAST_PLOTS_CHART_COMPARE_H
#define FLEETCAST_PLOTS_CHART_COMPARE_H

#include "plots/charts/chart_context.h"

enum chart_result chart_compare(struct chart_script *s, const struct chart_context *c);

#endif
