/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result: named columns with units and meanings, and rows. All that plots/ and the CSV writers
 * know of a simulation. Numbers that are missing are NaN inside and empty outside. */
#ifndef FLEETCAST_ENGINE_TABLE_H
#define FLEETCAST_ENGINE_TABLE_H

#include "engine/diagnostics.h"
#include "engine/json_writer.h"
#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum column_kind {
    COLUMN_TEXT,
    COLUMN_NUMBER,  /* double; NaN = missing */
    COLUMN_INTEGER, /* int64; COLUMN_MISSING_INTEGER = missing */
    COLUMN_MONEY,   /* money_t, written exactly; COLUMN_MISSING_INTEGER = missing */
    COLUMN_TIME     /* int64 unix seconds, written YYYY-MM-DDTHH:MM:SSZ; as above for missing */
};
#define COLUMN_MISSING_INTEGER INT64_MIN

struct column {
    const char *name;    /* snake_case with unit suffix: "cost_usd", "time_to_train_h" */
    const char *unit;    /* "usd", "h", "frac", "" */
    const char *meaning; /* one sentence, for the manual */
    enum column_kind kind;
    int decimals; /* NUMBER in tables for people: digits after the point; -1 = automatic, -2 = a
                     number by itself: whole ones without any, others as -1 */
};

struct table;

/* Copies the names, units and meanings; `count` is at least 1. NULL when out of memory. */
struct table *table_new(const char *name, const struct column *columns, size_t count);
void table_free(struct table *t);
const char *table_name(const struct table *t);
size_t table_columns(const struct table *t);
size_t table_rows(const struct table *t);
const struct column *table_column(const struct table *t, size_t column);
int table_find(const struct table *t, const char *column_name); /* -1 when absent */

/* Appends an empty row (all missing); returns its index, or SIZE_MAX when memory or the cap (2^31
 * cells) is out. */
size_t table_add_row(struct table *t);
/* Setting a cell as what its column is not is a programming error and asserted. Texts are kept once
 * however many cells hold them; NULL is "" is missing. A number that is not finite is missing. */
void table_set_text(struct table *t, size_t row, size_t column, const char *value); /* copied */
void table_set_number(struct table *t, size_t row, size_t column, double value);
void table_set_integer(struct table *t, size_t row, size_t column, int64_t value); /* and TIME */
void table_set_money(struct table *t, size_t row, size_t column, money_t value);
const char *table_text(const struct table *t, size_t row, size_t column); /* "" when missing */
/* Any kind but text as double (TIME: unix seconds); NaN when missing, or text. */
double table_number(const struct table *t, size_t row, size_t column);
/* INTEGER, TIME and MONEY as they are; COLUMN_MISSING_INTEGER when missing, or of another kind. */
int64_t table_integer(const struct table *t, size_t row, size_t column);
bool table_missing(const struct table *t, size_t row, size_t column);
/* Stable sort by one column (text by bytes); descending if asked; missing last always. */
void table_sort(struct table *t, size_t column, bool descending);

/* True once a row, a text or a sort found no memory (or a cap): what the table holds is not what it
 * was given. It stays true, and the writers then refuse with ENOMEM, so that callers which fill a
 * table need to look once. */
bool table_incomplete(const struct table *t);

/* RFC 4180: comma, LF, UTF-8, one header row, '.' decimal. Numbers as csv_put_number writes them,
 * money and integers exactly. False on a write error (errno holds). */
bool table_write_csv(const struct table *t, FILE *out);
/* An array of objects, one per row; missing = null; times as text. False as above. */
bool table_write_json(const struct table *t, FILE *out);
/* The same array as a value of a document that is being written. */
void table_put_json(const struct table *t, struct json_writer *j);

#endif
