/* SPDX-License-Identifier: GPL-3.0-or-later
 * A chart that a verb draws by itself, without a result directory: the frame that the charts of
 * `run` have, from the study instead of a manifest. */
#ifndef FLEETCAST_SCENARIOS_LONE_CHART_H
#define FLEETCAST_SCENARIOS_LONE_CHART_H

#include "plots/facts/chart_frame.h"
#include "scenarios/cli/command.h"
#include "scenarios/study/study.h"

#include <stdbool.h>

/* What the foot says of the study: scenario, date of prices, currency, tax. All is copied, so that
 * the study may go. converted: the tables hold amounts in the report's currency too, which are
 * drawn. What was simulated is left to the caller. False when memory is out, told. */
bool lone_chart_frame(struct command *c, const struct study *s, bool converted,
                      struct chart_frame *frame);

/* Draws the chart of this name into folder/charts. frame->simulated NULL: memory was out. False on
 * an error, told. */
bool lone_chart_draw(struct command *c, const char *name, const struct chart_frame *frame,
                     const struct chart_tables *tables, const char *folder);

#endif
