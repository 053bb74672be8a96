/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a monitoring page would show of a queue's nodes over time, in the plan world of each
 * strategy: those with jobs on them, those held without, and above the line of what is bought first
 * the nodes that jobs overflow to; jobs that wait beside it. Of several queues the first is drawn.
 */
#ifndef FLEETCAST_PLOTS_CHART_UTILISATION_H
#define FLEETCAST_PLOTS_CHART_UTILISATION_H

#include "plots/charts/chart_context.h"

enum chart_result chart_utilisation(struct chart_script *s, const struct chart_context *c);

#endif
