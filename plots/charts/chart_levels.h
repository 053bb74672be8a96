/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost against the size of a strategy's commitments, with the share of them that goes unused. */
#ifndef FLEETCAST_PLOTS_CHART_LEVELS_H
#define FLEETCAST_PLOTS_CHART_LEVELS_H

#include "plots/charts/chart_context.h"

chart_writer chart_levels;

#endif
