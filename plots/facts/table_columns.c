/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/table_columns.h"

int table_column_needed(const struct table *t, const char *name, struct diagnostics *d)
{
    const int found = table_find(t, name);
    if (found < 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "the table '%s' has no column '%s', which charts need", table_name(t),
                        name);
    }
    return found;
}

bool table_columns_needed(int columns[], const struct table *t, const char *const names[],
                          size_t count, struct diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        columns[i] = table_column_needed(t, names[i], d);
        if (columns[i] < 0) {
            return false;
        }
    }
    return true;
}
