/* SPDX-License-Identifier: GPL-3.0-or-later
 * The plan world of each strategy as a lane of time: on-demand, spot, idle, boot and restore,
 * checkpoints, losses, the deadline. */
#ifndef FLEETCAST_PLOTS_CHART_PLAN_WORLD_H
#define FLEETCAST_PLOTS_CHART_PLAN_WORLD_H

#include "plots/charts/chart_context.h"

enum chart_result chart_plan_world(struct chart_script *s, const struct chart_context *c);

#endif
