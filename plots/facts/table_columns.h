/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of a result table that charts and tables for people read, found by name: facts are
 * read from tables that were just made and from files of other versions alike, and one that lacks a
 * column is told in the same words wherever it is read. */
#ifndef FLEETCAST_PLOTS_TABLE_COLUMNS_H
#define FLEETCAST_PLOTS_TABLE_COLUMNS_H

#include "engine/arena.h"
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
/* Likewise, but from the needed-th on a column may be absent: -1, and nothing is told. */
bool table_columns_found(int columns[], const struct table *t, const char *const names[],
                         size_t needed, size_t count, struct diagnostics *d);

/* The number there; NaN when it is missing or not finite, or the column absent (-1). */
double table_known(const struct table *t, size_t row, int column);

/* An array of `rows` numbers, and at least one, for each pointer named. False, told, when memory is
 * out. */
bool table_arrays(double **const arrays[], size_t count, size_t rows, struct arena *a,
                  struct diagnostics *d);

#endif
