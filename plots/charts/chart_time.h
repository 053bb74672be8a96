/* SPDX-License-Identifier: GPL-3.0-or-later
 * The share of futures that are finished by each time, one curve per strategy, with the deadlines.
 * A curve that ends below 100 % tells what the horizon cut off. */
#ifndef FLEETCAST_PLOTS_CHART_TIME_H
#define FLEETCAST_PLOTS_CHART_TIME_H

#include "plots/charts/chart_context.h"

enum chart_result chart_time(struct chart_script *s, const struct chart_context *c);

#endif
