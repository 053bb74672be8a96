/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of a result table that a chart reads, found by name: facts are read from tables that
 * were just made and from files of other versions alike, and one that lacks a column is told in the
 * same words wherever it is read. */
#ifndef FLEETCAST_PLOTS_TABLE_COLUMNS_H
#define FLEETCAST_PLOTS_TABLE_COLUMNS_H

#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Index of the column of this name; -1, told in d, when the table has none. */
int table_column_needed(const struct table *t, const char *name, struct diagnostics *d);
/* Likewise of all of them. False, told of the first that is missing; the rest is not filled then.
 */
bool table_columns_needed(int columns[], const struct table *t, const char *const names[],
                          size_t count, struct diagnostics *d);

#endif
