/* SPDX-License-Identifier: GPL-3.0-or-later
 * The share of a service's requests within the objective, hour by hour over all worlds: P50, and
 * from P10 to P90, a panel for each strategy; shaded where one world in ten or more is overloaded.
 */
#ifndef FLEETCAST_PLOTS_CHART_SLO_HOURS_H
#define FLEETCAST_PLOTS_CHART_SLO_HOURS_H

#include "plots/charts/chart_context.h"

enum chart_result chart_slo_hours(struct chart_script *s, const struct chart_context *c);

#endif
