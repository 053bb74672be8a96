/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/table_read.h"

#include "engine/csv_reader.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Columns of the table that are read, in order: the i-th of the reader is columns[i]. */
struct read_columns {
    const char **names; /* NULL-terminated */
    size_t *columns;
    size_t count;
};

static bool read_cell(struct table *t, struct csv_reader *r, size_t row, size_t column,
                      size_t index)
{
    double number;
    int64_t integer;
    bool good = true;
    if (csv_missing(r, index)) {
        return true;
    }
    switch (table_column(t, column)->kind) {
    case COLUMN_TEXT:
        table_set_text(t, row, column, csv_text(r, index));
        return true;
    case COLUMN_NUMBER:
        good = csv_double(r, index, &number);
        if (good) {
            table_set_number(t, row, column, number);
        }
        return good;
    case COLUMN_TIME:
        good = csv_date(r, index, &integer);
        break;
    case COLUMN_MONEY:
        good = csv_money(r, index, &integer);
        if (good) {
            table_set_money(t, row, column, integer);
        }
        return good;
    case COLUMN_INTEGER:
        good = csv_int64(r, index, &integer);
        break;
    }
    if (good) {
        table_set_integer(t, row, column, integer);
    }
    return good;
}

static bool read_rows(struct table *t, struct csv_reader *r, const struct read_columns *read,
                      struct diagnostics *d)
{
    bool good = true;
    int got;
    while ((got = csv_next(r)) == 1) {
        size_t row = table_add_row(t);
        for (size_t c = 0; row != SIZE_MAX && c < read->count; c++) {
            good &= read_cell(t, r, row, read->columns[c], c);
        }
        if (table_incomplete(t)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, csv_place(r),
                            "the table '%s' does not fit into memory", table_name(t));
            return false;
        }
    }
    return good && got == 0;
}

/* Columns from `from` to before `to`, up to the last that the file has (of all: every one). */
static void add_columns(struct read_columns *read, const struct column *columns, size_t from,
                        size_t to, const struct csv_reader *file)
{
    while (file != NULL && to > from && csv_find_column(file, columns[to - 1].name) < 0) {
        to--;
    }
    for (size_t i = from; i < to; i++) {
        read->names[read->count] = columns[i].name;
        read->columns[read->count++] = i;
    }
}

/* Which columns are asked for: all, or without those that a file lacks at the ends. */
static bool choose_columns(struct read_columns *read, const char *path,
                           const struct column *columns, size_t own, size_t count, bool older,
                           struct diagnostics *d)
{
    if (!older) {
        add_columns(read, columns, 0, count, NULL);
        return true;
    }
    struct csv_reader *file = csv_open(path, NULL, NULL, d);
    if (file != NULL) {
        add_columns(read, columns, 0, own, file);
        if (2 * read->count < own) { /* no older version: what is amiss is said */
            read->count = 0;
            add_columns(read, columns, 0, own, NULL);
        }
        add_columns(read, columns, own, count, file);
    }
    csv_close(file);
    return file != NULL;
}

static struct table *read_csv(const char *path, const char *name, const struct column *columns,
                              size_t own, size_t count, bool older, struct diagnostics *d)
{
    struct table *t = table_new(name, columns, count);
    struct read_columns read = {.names = calloc(count + 1, sizeof *read.names),
                                .columns = calloc(count + 1, sizeof *read.columns)};
    struct csv_reader *r = NULL;
    bool good = false;
    if (t == NULL || read.names == NULL || read.columns == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){path, 0, 0},
                        "out of memory while reading");
    } else if (choose_columns(&read, path, columns, own, count, older, d)) {
        r = csv_open(path, NULL, read.names, d);
        good = r != NULL && read_rows(t, r, &read, d);
    }
    csv_close(r);
    free(read.names);
    free(read.columns);
    if (!good) {
        table_free(t);
        return NULL;
    }
    return t;
}

struct table *table_read_csv(const char *path, const char *name, const struct column *columns,
                             size_t count, struct diagnostics *d)
{
    return read_csv(path, name, columns, count, count, false, d);
}

struct table *table_read_csv_older(const char *path, const char *name, const struct column *columns,
                                   size_t own, size_t count, struct diagnostics *d)
{
    return read_csv(path, name, columns, own, count, true, d);
}
