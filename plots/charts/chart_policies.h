/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost and lateness of each policy with the bound of hindsight: one row per strategy, its nodes'
 * mean cost, the least that hindsight allows in the same futures, and the regret between. */
#ifndef FLEETCAST_PLOTS_CHART_POLICIES_H
#define FLEETCAST_PLOTS_CHART_POLICIES_H

#include "plots/charts/chart_context.h"

chart_writer chart_policies;

#endif
