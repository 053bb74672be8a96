/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables back from the CSV files that they were written to. */
#ifndef FLEETCAST_ENGINE_TABLE_READ_H
#define FLEETCAST_ENGINE_TABLE_READ_H

#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stddef.h>

/* Reads back what table_write_csv wrote; the columns (names, kinds) must be given and be there, in
 * any order; others are ignored. All bad values are told in d, by lines of `path`, which must
 * outlive it. NULL on error. */
struct table *table_read_csv(const char *path, const char *name, const struct column *columns,
                             size_t count, struct diagnostics *d);
/* Likewise of a file that an older version may have written, since columns are only ever appended:
 * of the first `own` columns, and of those behind them, the last ones may be absent, which leaves
 * their cells missing. An error is one that is absent before another that is there, and a file with
 * fewer than half of the first `own`. */
struct table *table_read_csv_older(const char *path, const char *name, const struct column *columns,
                                   size_t own, size_t count, struct diagnostics *d);

#endif
