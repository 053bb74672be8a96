/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost against the share of requests that are answered within the objective. */
#ifndef FLEETCAST_PLOTS_CHART_SLO_H
#define FLEETCAST_PLOTS_CHART_SLO_H

#include "plots/charts/chart_context.h"

enum chart_result chart_slo(struct chart_script *s, const struct chart_context *c);

#endif
