/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void focus_cells_init(struct focus_cells *r)
{
    focus_cells_clear(r);
    for (int i = 0; i < FOCUS_TEXTS; i++) {
        text_init(&r->texts[i], 0);
    }
}

void focus_cells_release(struct focus_cells *r)
{
    for (int i = 0; i < FOCUS_TEXTS; i++) {
        text_release(&r->texts[i]);
    }
}

void focus_cells_clear(struct focus_cells *r)
{
    memset(r->cells, 0, sizeof r->cells);
}

/* ---- into cells ---- */

void cell_text(struct focus_cells *r, enum focus_column c, const char *text)
{
    r->cells[c] = (struct focus_cell){.kind = CELL_TEXT, .text = text};
}

void cell_number(struct focus_cells *r, enum focus_column c, enum focus_cell_kind kind,
                 int64_t number)
{
    r->cells[c] = (struct focus_cell){.kind = kind, .number = number};
}

void cell_money(struct focus_cells *r, enum focus_column c, money_t amount)
{
    cell_number(r, c, CELL_MONEY, amount);
}

void cell_decimal(struct focus_cells *r, enum focus_column c, double value)
{
    r->cells[c] = (struct focus_cell){.kind = CELL_DECIMAL, .decimal = value};
}

const char *cell_format(struct focus_cells *r, enum focus_text which, const char *format, ...)
{
    char *made = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&made, format, args) < 0) {
        made = NULL;
    }
    va_end(args);
    text_clear(&r->texts[which]);
    if (made == NULL) {
        r->texts[which].overflow = true;
        return "";
    }
    text_add(&r->texts[which], made);
    free(made);
    return r->texts[which].data;
}

void cell_add_json(struct text *t, const char *s)
{
    text_add(t, "\"");
    for (; *s != '\0'; s++) {
        unsigned char byte = (unsigned char)*s;
        if (byte < 0x20) {
            text_format(t, "\\u%04x", byte);
        } else {
            if (byte == '"' || byte == '\\') {
                text_add(t, "\\");
            }
            text_add_bytes(t, s, 1);
        }
    }
    text_add(t, "\"");
}

/* ---- out of them ---- */

static void drop_zeros(char *bytes, int n)
{
    while (bytes[n - 1] == '0') {
        n--;
    }
    bytes[bytes[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* Microseconds as hours with 12 decimals, rounded to nearest, trailing zeros dropped: fine enough
 * that times a price it is the amount to the nano-unit, and no exponent. */
static void write_hours(struct csv_writer *csv, int64_t us)
{
    char bytes[48];
    int64_t hours = us / HOUR_US;
    int64_t decimals = (us % HOUR_US * 2500 + 4) / 9; /* 1e12 / 3.6e9 = 2500 / 9 */
    if (decimals == INT64_C(1000000000000)) {
        hours++;
        decimals = 0;
    }
    int n = snprintf(bytes, sizeof bytes, "%" PRId64 ".%012" PRId64, hours, decimals);
    drop_zeros(bytes, n);
    csv_put_text(csv, bytes);
}

static void write_decimal(struct csv_writer *csv, double value)
{
    char bytes[64];
    int digits = value == 0 ? 0 : 14 - (int)floor(log10(fabs(value)));
    digits = digits < 1 ? 1 : digits > 30 ? 30 : digits;
    drop_zeros(bytes, snprintf(bytes, sizeof bytes, "%.*f", digits, value));
    csv_put_text(csv, bytes);
}

static void write_cell(struct csv_writer *csv, const struct focus_cell *c)
{
    switch (c->kind) {
    case CELL_TEXT:
        csv_put_text(csv, c->text);
        break;
    case CELL_MONEY:
        csv_put_money(csv, c->number);
        break;
    case CELL_HOURS:
        write_hours(csv, c->number);
        break;
    case CELL_INTEGER:
        csv_put_integer(csv, c->number);
        break;
    case CELL_TIME:
        csv_put_time(csv, c->number);
        break;
    case CELL_DECIMAL:
        write_decimal(csv, c->decimal);
        break;
    case CELL_EMPTY:
        csv_put_missing(csv);
        break;
    }
}

bool focus_cells_write(struct focus_cells *r, struct csv_writer *csv)
{
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        write_cell(csv, &r->cells[i]);
    }
    csv_end_row(csv);
    bool whole = csv->error == 0;
    for (int i = 0; i < FOCUS_TEXTS; i++) {
        whole = whole && !r->texts[i].overflow;
    }
    return whole;
}
