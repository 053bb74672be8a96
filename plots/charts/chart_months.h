/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost by month and category, stacked, one panel per strategy. */
#ifndef FLEETCAST_PLOTS_CHART_MONTHS_H
#define FLEETCAST_PLOTS_CHART_MONTHS_H

#include "plots/charts/chart_context.h"

chart_writer chart_months;

#endif
