/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/table_columns.h"

#include <math.h>

int table_column_needed(const struct table *t, const char *name, struct diagnostics *d)
{
    const int found = table_find(t, name);
    if (found < 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "the table '%s' has no column '%s', which charts and tables need",
                        table_name(t), name);
    }
    return found;
}

bool table_columns_found(int columns[], const struct table *t, const char *const names[],
                         size_t needed, size_t count, struct diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        columns[i] = i < needed ? table_column_needed(t, names[i], d) : table_find(t, names[i]);
        if (columns[i] < 0 && i < needed) {
            return false;
        }
    }
    return true;
}

bool table_columns_needed(int columns[], const struct table *t, const char *const names[],
                          size_t count, struct diagnostics *d)
{
    return table_columns_found(columns, t, names, count, count, d);
}

double table_known(const struct table *t, size_t row, int column)
{
    const double x = column < 0 ? (double)NAN : table_number(t, row, (size_t)column);

    return isfinite(x) ? x : (double)NAN;
}

bool table_arrays(double **const arrays[], size_t count, size_t rows, struct arena *a,
                  struct diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        *arrays[i] = arena_array(a, rows + 1, sizeof(double));
        if (*arrays[i] == NULL) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
            return false;
        }
    }
    return true;
}
