/* SPDX-License-Identifier: GPL-3.0-or-later
 * The chart "tornado": what the cost of a strategy hangs on. */
#ifndef FLEETCAST_PLOTS_CHART_TORNADO_H
#define FLEETCAST_PLOTS_CHART_TORNADO_H

#include "plots/charts/chart_context.h"

enum chart_result chart_tornado(struct chart_script *s, const struct chart_context *c);

#endif
