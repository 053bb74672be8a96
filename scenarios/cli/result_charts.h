/* SPDX-License-Identifier: GPL-3.0-or-later
 * From a result directory to its charts: `run` and `plot` draw the same way, from what stands in
 * the manifest, so that a chart drawn again is the same chart. */
#ifndef FLEETCAST_SCENARIOS_RESULT_CHARTS_H
#define FLEETCAST_SCENARIOS_RESULT_CHARTS_H

#include "plots/facts/chart_frame.h"
#include "scenarios/cli/command.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/reader/report_currency.h"

/* What tables for people and charts must know beside the result tables. In the command's arena;
 * false, told in the diagnostics, when memory is out. */
bool result_charts_frame(struct command *c, const struct manifest *m, struct chart_frame *frame);
struct chart_tables result_charts_tables(const struct result_tables *t);
/* Draws all charts into folder/charts; false, told in the diagnostics, when they cannot be written.
 * A chart that gnuplot cannot draw is a warning. */
bool result_charts_draw(struct command *c, const struct chart_frame *frame,
                        const struct result_tables *tables, const char *folder);

/* "computed in USD, shown in EUR at 0.92 (2026-03-01)"; NULL when memory is out. */
const char *result_charts_conversion(struct command *c, const char *currency,
                                     const struct report_currency *r);

/* Marks the strategy that the tables say was chosen, if there is one, and those that cannot be told
 * from it. */
void result_charts_mark(struct chart_frame *frame, const struct result_tables *tables);

#endif
