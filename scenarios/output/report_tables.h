/* SPDX-License-Identifier: GPL-3.0-or-later
 * Result tables in a second currency beside the one that is computed in. What is there without it
 * stays as it is; what is added stands behind it: columns `…_eur` behind all columns, or, where a
 * row has its own unit, rows of metrics `…_eur` behind all rows. Amounts are multiplied by the
 * rate, not rounded: what adds up in one currency does so in the other, but for floating point. */
#ifndef FLEETCAST_SCENARIOS_REPORT_TABLES_H
#define FLEETCAST_SCENARIOS_REPORT_TABLES_H

#include "engine/arena.h"
#include "engine/table.h"
#include "scenarios/output/result_layouts.h"
#include "scenarios/reader/report_currency.h"

#include <stdbool.h>

/* "cost_usd" -> "cost_eur", into out; false for a name without the suffix of `currency`, or too
 * long.
 */
bool report_name(const char *name, const char *currency, const char *report, char out[64]);

/* Appends to a layout in `currency` its columns in `report` (a code; NULL: none). Columns that were
 * money are numbers there. False when out of memory. */
bool report_layout(struct result_table_layout *l, const char *currency, const char *report,
                   struct arena *a);

/* Takes t (in `currency`; NULL: out of memory) and returns it with what is added. NULL when out of
 * memory. */
struct table *report_table(struct table *t, const char *currency, const struct report_currency *r);

#endif
