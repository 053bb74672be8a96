/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cash paid against amortised cost, both summed up by month, one panel per strategy. */
#ifndef FLEETCAST_PLOTS_CHART_CASH_H
#define FLEETCAST_PLOTS_CHART_CASH_H

#include "plots/charts/chart_context.h"

chart_writer chart_cash;

#endif
