/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table that `run` prints: one row per strategy with what a manager asks for, and under it what
 * must be known to read it.
 *
 *   COST P50, P90   where censoring leaves bounds: "2,332 to 2,343", ">= 12,300"
 *   SAVES           mean paired difference to the baseline with half its 95 % interval, "912 ± 32";
 *                   "unclear: 12 ± 40" when the interval covers zero; "unknown" when futures are
 *                   cut off; "nothing" when no future differs; one future: the difference alone
 *   CHEAPER IN      share of futures in which the strategy costs less than the baseline; ">= 97 %"
 *                   or "97 to 99 %" when futures are cut off
 *   OVER BUDGET, LATE   chances; "0 to 2 %" where unfinished futures may still add to them
 *   SIGNED          what the strategy's new commitments sign for, when any does; under the
 *                   table, how much of it is unused inside the horizon and borne after it (P50)
 *   TIME P50, P90   one unit in the whole table
 *   NOT FINISHED    share of futures cut off at the horizon
 *
 * Columns that no strategy has (no budget, no deadline, one strategy, no finite work) are left out.
 */
#ifndef FLEETCAST_PLOTS_RUN_TABLE_H
#define FLEETCAST_PLOTS_RUN_TABLE_H

#include "engine/diagnostics.h"
#include "plots/facts/chart_frame.h"
#include "plots/text/terminal_table.h"

#include <stdbool.h>
#include <stdio.h>

/* Needs the summary table; without comparison SAVES is unknown. A table broader than style->width
 * is written as two, cost and time. False on a missing column (told in d) or a write error. */
bool run_table_write(const struct chart_frame *frame, const struct chart_tables *tables,
                     const struct terminal_style *style, FILE *out, struct diagnostics *d);

#endif
