/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of every CSV file of a result directory, and what each means: what writes them, reads
 * them back and describes them in docs/output.md. Columns are only ever appended. */
#ifndef FLEETCAST_SCENARIOS_RESULT_LAYOUTS_H
#define FLEETCAST_SCENARIOS_RESULT_LAYOUTS_H

#include "engine/arena.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

struct result_table_layout {
    const char *name; /* "summary" */
    struct column *columns;
    size_t count;
};

/* All files in the order of the manual, without ".csv"; NULL beyond the last. */
const char *result_layout_name(size_t index);
/* The layout of one file in a currency; columns in the arena. Of `replications` the columns of the
 * drawn inputs, which follow, are the scenario's. False for an unknown name, or out of memory. */
bool result_table_layout(const char *name, const char *currency, struct arena *a,
                         struct result_table_layout *out);

#endif
