/* SPDX-License-Identifier: GPL-3.0-or-later
 * The figures behind each plan, for `fleetcast check`: beside the plan for people, and as one table
 * of rows for programs. */
#ifndef FLEETCAST_SCENARIOS_REASONS_TABLE_H
#define FLEETCAST_SCENARIOS_REASONS_TABLE_H

#include "engine/table.h"
#include "scenarios/study/study.h"

/* Columns strategy, workload, part, quantity, value, unit, note; the rows of all plans. NULL when
 * memory is out. The caller's (table_free). */
struct table *reasons_table(const struct study *s);
/* Those of one plan, part under part; a word where they are an earlier strategy's. */
void reasons_print(const struct study *s, size_t strategy, size_t workload);

#endif
