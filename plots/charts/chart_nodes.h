/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes held over time in the plan world, by how they were bought, one panel per strategy. */
#ifndef FLEETCAST_PLOTS_CHART_NODES_H
#define FLEETCAST_PLOTS_CHART_NODES_H

#include "plots/charts/chart_context.h"

enum chart_result chart_nodes(struct chart_script *s, const struct chart_context *c);

#endif
