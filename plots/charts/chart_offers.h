/* SPDX-License-Identifier: GPL-3.0-or-later
 * Mean cost against what is signed of each commitment offer alone, with the size of least mean and
 * the regret of the others. */
#ifndef FLEETCAST_PLOTS_CHART_OFFERS_H
#define FLEETCAST_PLOTS_CHART_OFFERS_H

#include "plots/charts/chart_context.h"

chart_writer chart_offers;

#endif
