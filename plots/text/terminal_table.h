/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables on a terminal: columns two spaces apart, headings in capitals that may stand on several
 * lines, texts to the left, numbers to the right with thousands separated. Widths are those of a
 * terminal (CJK counts two), and no text from outside can drive it.
 *
 * When a table is broader than the terminal, texts are shortened in the middle, the broadest first;
 * numbers never are: a cut number is a wrong number. One column may be folded into lines at spaces
 * instead. */
#ifndef FLEETCAST_PLOTS_TERMINAL_TABLE_H
#define FLEETCAST_PLOTS_TERMINAL_TABLE_H

#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct terminal_style {
    size_t width; /* columns of the terminal; 0 = no limit */
    bool ascii; /* not a UTF-8 locale: "..." for "…", "+-" for "±", "*" for a tick mark, "?" for
                   any other character that is not ASCII */
};

struct terminal_column {
    const char *heading; /* shown as it is; may break at spaces */
    bool right;          /* numbers */
};

struct terminal_table;

/* Copies the headings. NULL when out of memory. */
struct terminal_table *terminal_table_new(const struct terminal_column *columns, size_t count);
void terminal_table_free(struct terminal_table *t);
/* An empty row; SIZE_MAX when memory is out (then nothing is added and _write fails). */
size_t terminal_table_add_row(struct terminal_table *t);
/* The text is copied; control characters and bytes that are not UTF-8 become visible. */
void terminal_table_set(struct terminal_table *t, size_t row, size_t column, const char *text);
/* Texts of this column are folded into lines instead of being shortened; one column a table. */
void terminal_table_fold(struct terminal_table *t, size_t column);
/* Columns the table needs, nothing shortened. */
size_t terminal_table_width(const struct terminal_table *t, const struct terminal_style *style);
/* False on a write error (errno holds) or when memory ran out. */
bool terminal_table_write(const struct terminal_table *t, const struct terminal_style *style,
                          FILE *out);

/* Any table of results or of the catalogue. Headings are the columns' names ("price_usd_per_hour"
 * is "PRICE USD PER HOUR"); missing numbers are "n/a", missing texts "-". folded: the name of the
 * column that is folded; NULL or no such column: none. */
bool terminal_table_print_folded(const struct table *t, const struct terminal_style *style,
                                 const char *folded, FILE *out);

#endif
