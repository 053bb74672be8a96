/* SPDX-License-Identifier: GPL-3.0-or-later
 * The chart "sweep": cost against the value of a setting, or which strategy costs least over two.
 */
#ifndef FLEETCAST_PLOTS_CHART_SWEEP_H
#define FLEETCAST_PLOTS_CHART_SWEEP_H

#include "plots/charts/chart_context.h"

enum chart_result chart_sweep(struct chart_script *s, const struct chart_context *c);

#endif
