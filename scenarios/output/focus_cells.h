/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row of a FOCUS file under way: a cell for each column, empty unless something is put into it,
 * and room for the texts that are made for it. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_CELLS_H
#define FLEETCAST_SCENARIOS_FOCUS_CELLS_H

#include "engine/csv_writer.h"
#include "engine/text.h"
#include "scenarios/output/focus_columns.h"

#include <stdbool.h>
#include <stdint.h>

enum focus_cell_kind {
    CELL_EMPTY,
    CELL_TEXT,
    CELL_MONEY,
    CELL_HOURS,
    CELL_INTEGER,
    CELL_TIME,
    CELL_DECIMAL
};

struct focus_cell {
    enum focus_cell_kind kind;
    const char *text;
    int64_t number;
    double decimal;
};

enum focus_text {
    TEXT_RESOURCE,
    TEXT_NAME,
    TEXT_SKU,
    TEXT_PRICE,
    TEXT_DETAILS,
    TEXT_TAGS,
    TEXT_COMMITMENT,
    TEXT_RESERVATION,
    TEXT_ACCOUNT,
    TEXT_WORDS,
    TEXT_SHARED,
    FOCUS_TEXTS
};

struct focus_cells {
    struct focus_cell cells[FOCUS_COLUMN_COUNT];
    struct text texts[FOCUS_TEXTS];
};

void focus_cells_init(struct focus_cells *r);
void focus_cells_release(struct focus_cells *r);
/* All empty. Texts stay until they are made anew. */
void focus_cells_clear(struct focus_cells *r);

/* text is borrowed until the row is written; NULL or "" is empty. */
void cell_text(struct focus_cells *r, enum focus_column c, const char *text);
void cell_number(struct focus_cells *r, enum focus_column c, enum focus_cell_kind kind,
                 int64_t number);
void cell_money(struct focus_cells *r, enum focus_column c, money_t amount);
/* With 15 significant digits, and no exponent. */
void cell_decimal(struct focus_cells *r, enum focus_column c, double value);
/* A text of the row's own; "" when out of memory, which focus_cells_write tells. */
const char *cell_format(struct focus_cells *r, enum focus_text which, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a JSON string (RFC 8259, section 7). */
void cell_add_json(struct text *t, const char *s);

/* False on a write error, or out of memory. */
bool focus_cells_write(struct focus_cells *r, struct csv_writer *csv);

#endif
