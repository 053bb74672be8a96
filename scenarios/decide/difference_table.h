/* SPDX-License-Identifier: GPL-3.0-or-later
 * All that differs between two runs as a table: every metric of every strategy and workload that
 * both have, by its mean, P50 and P90. */
#ifndef FLEETCAST_SCENARIOS_DIFFERENCE_TABLE_H
#define FLEETCAST_SCENARIOS_DIFFERENCE_TABLE_H

#include "engine/table.h"
#include "scenarios/decide/result_difference.h"

/* Its columns, for the manual. */
enum { DIFFERENCE_COLUMNS = 16 };
extern const struct column difference_columns[DIFFERENCE_COLUMNS];

/* In metrics of the currency of both, which must be the same. Strategies stand in the order of A,
 * then those that B alone has; a strategy or workload that only one has is one row without a
 * metric. NULL when memory is out. */
struct table *difference_table(const struct diff_side *a, const struct diff_side *b);

/* The objective that a row of the table is about; workload NULL: all together. */
struct objective difference_objective(enum metric m, enum objective_stat stat, double quantile,
                                      const char *workload);

#endif
