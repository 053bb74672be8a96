/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run as tables: what is written as CSV, drawn, and printed. The columns are described in
 * docs/output.md; they are only ever appended. Every function returns a new table, NULL when out of
 * memory. */
#ifndef FLEETCAST_SCENARIOS_RESULT_TABLES_H
#define FLEETCAST_SCENARIOS_RESULT_TABLES_H

#include "engine/arena.h"
#include "engine/table.h"
#include "scenarios/study/run.h"

struct result_tables {
    struct table *summary, *comparison, *distribution, *timeline, *monthly, *lines;
};

/* All of them; false when out of memory. */
bool result_tables_make(struct result_tables *t, const struct run *run);
void result_tables_release(struct result_tables *t);

/* Name, columns and number of each table, for reading them back. */
struct result_table_layout {
    const char *name; /* "summary" */
    struct column *columns;
    size_t count;
};
/* The layout of one table in a currency; columns in the arena. False for an unknown name. */
bool result_table_layout(const char *name, const char *currency, struct arena *a,
                         struct result_table_layout *out);

#endif
