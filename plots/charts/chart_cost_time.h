/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost against time: one mark per strategy at both P50s, with a cross from P10 to P90. */
#ifndef FLEETCAST_PLOTS_CHART_COST_TIME_H
#define FLEETCAST_PLOTS_CHART_COST_TIME_H

#include "plots/charts/chart_context.h"

enum chart_result chart_cost_time(struct chart_script *s, const struct chart_context *c);

#endif
