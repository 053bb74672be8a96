/* SPDX-License-Identifier: GPL-3.0-or-later
 * "gantt": a row for each job of one strategy in its plan world: when it waited, where it ran, what
 * it lost. Only where there is more than one job. */
#ifndef FLEETCAST_PLOTS_CHART_GANTT_H
#define FLEETCAST_PLOTS_CHART_GANTT_H

#include "plots/charts/chart_context.h"

enum chart_result chart_gantt(struct chart_script *s, const struct chart_context *c);

#endif
