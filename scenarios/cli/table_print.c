/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/table_print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A terminal narrower than this is not taken at its word. */
#define LEAST_WIDTH 40
#define MOST_WIDTH  10000

size_t table_print_columns(size_t otherwise)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = columns == NULL ? 0 : strtol(columns, NULL, 10);
    if (width <= 0 && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0 || width > MOST_WIDTH) {
        return otherwise;
    }
    return (size_t)(width < LEAST_WIDTH ? LEAST_WIDTH : width);
}

struct terminal_style table_print_style(const struct command *c, size_t otherwise)
{
    return (struct terminal_style){.width = table_print_columns(otherwise), .ascii = c->ascii};
}

/* ---- a table with fewer columns ---- */

static bool is_hidden(const char *name, const char *const *hidden)
{
    for (size_t i = 0; hidden != NULL && hidden[i] != NULL; i++) {
        if (strcmp(hidden[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_empty(const struct table *t, size_t column)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        if (!table_missing(t, row, column)) {
            return false;
        }
    }
    return table_rows(t) > 0;
}

static void copy_cell(struct table *to, size_t to_column, const struct table *from, size_t row,
                      size_t column)
{
    switch (table_column(from, column)->kind) {
    case COLUMN_TEXT:
        table_set_text(to, row, to_column, table_text(from, row, column));
        break;
    case COLUMN_NUMBER:
        table_set_number(to, row, to_column, table_number(from, row, column));
        break;
    case COLUMN_MONEY:
        table_set_money(to, row, to_column, table_integer(from, row, column));
        break;
    default:
        table_set_integer(to, row, to_column, table_integer(from, row, column));
    }
}

/* NULL when out of memory. */
static struct table *for_people(struct command *c, const struct table *t, const char *const *hidden)
{
    size_t count = 0;
    struct column *columns = arena_array(c->arena, table_columns(t), sizeof *columns);
    size_t *from = arena_array(c->arena, table_columns(t), sizeof *from);
    if (columns == NULL || from == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < table_columns(t); i++) {
        if (!is_hidden(table_column(t, i)->name, hidden) && !is_empty(t, i)) {
            columns[count] = *table_column(t, i);
            from[count++] = i;
        }
    }
    struct table *shown = table_new(table_name(t), columns, count);
    for (size_t row = 0; shown != NULL && row < table_rows(t); row++) {
        if (table_add_row(shown) == SIZE_MAX) {
            table_free(shown);
            return NULL;
        }
        for (size_t i = 0; i < count; i++) {
            copy_cell(shown, i, t, row, from[i]);
        }
    }
    return shown;
}

/* ---- printing ---- */

void table_print_aligned(struct command *c, const struct table *t, const char *const *hidden)
{
    table_print_folded(c, t, hidden, NULL);
}

void table_print_folded(struct command *c, const struct table *t, const char *const *hidden,
                        const char *folded)
{
    struct table *shown = for_people(c, t, hidden);
    const struct terminal_style style = table_print_style(c, 0);
    if (shown == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (!terminal_table_print_folded(shown, &style, folded, stdout)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table: %s", strerror(errno));
    }
    table_free(shown);
}

void table_print(struct command *c, const struct table *t, const char *const *hidden)
{
    bool ok = true;
    switch (c->arguments->format) {
    case FORMAT_TABLE:
        table_print_aligned(c, t, hidden);
        return;
    case FORMAT_CSV:
        ok = table_write_csv(t, stdout);
        break;
    case FORMAT_JSON:
        ok = table_write_json(t, stdout);
        break;
    }
    if (!ok) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot write to standard output: %s",
                         strerror(errno));
    }
}
