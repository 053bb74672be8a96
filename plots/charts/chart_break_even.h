/* SPDX-License-Identifier: GPL-3.0-or-later
 * Break-even: the cost of an hour against its use, for each way to buy an instance type. */
#ifndef FLEETCAST_PLOTS_CHART_BREAK_EVEN_H
#define FLEETCAST_PLOTS_CHART_BREAK_EVEN_H

#include "plots/charts/chart_context.h"

chart_writer chart_break_even;

#endif
