/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/text_table.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 24, NAME_MAX_BYTES = 64 };

/* The cell at *s, into out; *s then stands behind it and its comma, but not behind a line's end. */
static void next_cell(const char **s, char out[NAME_MAX_BYTES])
{
    size_t length = strcspn(*s, ",\n");
    size_t kept = length < NAME_MAX_BYTES - 1 ? length : NAME_MAX_BYTES - 1;
    memcpy(out, *s, kept);
    out[kept] = '\0';
    *s += length;
    *s += **s == ',';
}

struct table *text_table(const char *name, const char *columns, const char *rows)
{
    static char names[COLUMNS_MAX][NAME_MAX_BYTES];
    struct column made[COLUMNS_MAX];
    size_t count = 0;
    for (const char *s = columns; *s != '\0' && count < COLUMNS_MAX; count++) {
        next_cell(&s, names[count]);
        char *kind = strchr(names[count], ':');
        made[count] =
            (struct column){names[count], "", "", kind == NULL ? COLUMN_NUMBER : COLUMN_TEXT, -1};
        if (kind != NULL) {
            *kind = '\0';
        }
    }
    struct table *t = table_new(name, made, count);
    for (const char *s = rows; t != NULL && *s != '\0'; s += *s == '\n') {
        size_t row = table_add_row(t);
        for (size_t i = 0; i < count; i++) {
            char cell[NAME_MAX_BYTES];
            next_cell(&s, cell);
            if (cell[0] != '\0' && made[i].kind == COLUMN_TEXT) {
                table_set_text(t, row, i, cell);
            } else if (cell[0] != '\0') {
                table_set_number(t, row, i, strtod(cell, NULL));
            }
        }
    }
    return t;
}
