/* SPDX-License-Identifier: GPL-3.0-or-later
 * Latency of what is answered over a week of the plan world, against its objective. */
#ifndef FLEETCAST_PLOTS_CHART_LATENCY_H
#define FLEETCAST_PLOTS_CHART_LATENCY_H

#include "plots/charts/chart_context.h"

enum chart_result chart_latency(struct chart_script *s, const struct chart_context *c);

#endif
