/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long spot lasts: the share of up times that are longer than t, as seen and as a model has
 * them, on a logarithmic axis of time. */
#ifndef FLEETCAST_PLOTS_CHART_SURVIVAL_H
#define FLEETCAST_PLOTS_CHART_SURVIVAL_H

#include "plots/charts/chart_context.h"

enum chart_result chart_survival(struct chart_script *s, const struct chart_context *c);

#endif
