/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a search found: cost against time of every plan simulated, and the front of those that no
 * other beats in both. */
#ifndef FLEETCAST_PLOTS_CHART_FRONT_H
#define FLEETCAST_PLOTS_CHART_FRONT_H

#include "plots/charts/chart_context.h"

enum chart_result chart_front(struct chart_script *s, const struct chart_context *c);

#endif
