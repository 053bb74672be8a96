/* SPDX-License-Identifier: GPL-3.0-or-later
 * The quantiles of cumulative spend over time in a panel: P50 as a line, P25 to P75 and P10 to P90
 * as bands; as they are, or as what they leave of a budget. */
#ifndef FLEETCAST_PLOTS_SPEND_FAN_H
#define FLEETCAST_PLOTS_SPEND_FAN_H

#include "plots/charts/chart_panels.h"
#include "plots/facts/time_course.h"

/* Until the first bucket that begins after end_s. left_of: NaN = the spend; else what is left of
 * that amount, which what is overspent does not push below zero. Columns: strategy_number, time,
 * five quantiles (of what is shown, P10 first), strategy. */
void spend_fan(struct chart_script *s, const struct chart_context *c, const struct time_course *t,
               size_t strategy, const struct chart_series_style *style, double end_s,
               double left_of);

#endif
