/* SPDX-License-Identifier: GPL-3.0-or-later
 * What nodes cost in each hour of the week: seven rows of 24 cells. */
#ifndef FLEETCAST_PLOTS_CHART_WEEK_H
#define FLEETCAST_PLOTS_CHART_WEEK_H

#include "plots/charts/chart_context.h"

enum chart_result chart_week(struct chart_script *s, const struct chart_context *c);

#endif
