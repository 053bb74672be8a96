/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/markdown_table.h"

#include "engine/text.h"

#include <inttypes.h>
#include <string.h>

/* Longer texts are cut: a table's cell is no place for them. */
#define MOST_BYTES 2000

void markdown_put_text(FILE *out, const char *text)
{
    struct text visible;
    text_init(&visible, 0);
    text_add_visible(&visible, text, MOST_BYTES);
    for (const char *s = visible.data; s != NULL && *s != '\0'; s++) {
        if (strchr("\\`*_[]<>|#~&$", *s) != NULL) {
            putc('\\', out);
        }
        putc(*s, out);
    }
    text_release(&visible);
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

static void put_cell(const struct table *t, size_t row, size_t column, FILE *out)
{
    if (table_missing(t, row, column)) {
        return;
    }
    switch (table_column(t, column)->kind) {
    case COLUMN_TEXT:
        markdown_put_text(out, table_text(t, row, column));
        break;
    case COLUMN_INTEGER:
        fprintf(out, "%" PRId64, table_integer(t, row, column));
        break;
    default:
        if (table_column(t, column)->decimals >= 0) {
            fprintf(out, "%.*f", table_column(t, column)->decimals, table_number(t, row, column));
        } else {
            fprintf(out, "%.10g", table_number(t, row, column));
        }
    }
}

static void put_heading(const char *name, FILE *out)
{
    char heading[128];
    snprintf(heading, sizeof heading, "%s", name);
    for (char *s = heading; *s != '\0'; s++) {
        *s = *s == '_' ? ' ' : *s;
    }
    markdown_put_text(out, heading);
}

bool markdown_table_write(const struct table *t, FILE *out)
{
    const size_t columns = table_columns(t);
    for (size_t i = 0; i < columns; i++) {
        if (!is_empty(t, i)) {
            fputs("| ", out);
            put_heading(table_column(t, i)->name, out);
            putc(' ', out);
        }
    }
    fputs("|\n", out);
    for (size_t i = 0; i < columns; i++) {
        if (!is_empty(t, i)) {
            fputs(table_column(t, i)->kind == COLUMN_TEXT ? "|---" : "|--:", out);
        }
    }
    fputs("|\n", out);
    for (size_t row = 0; row < table_rows(t); row++) {
        for (size_t i = 0; i < columns; i++) {
            if (!is_empty(t, i)) {
                fputs("| ", out);
                put_cell(t, row, i, out);
                putc(' ', out);
            }
        }
        fputs("|\n", out);
    }
    return ferror(out) == 0;
}
