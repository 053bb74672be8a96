/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV in, through libcsv, line by line: one header row, columns by name, file and line in every
 * message. Streams: memory does not grow with the file. */
#ifndef FLEETCAST_ENGINE_CSV_READER_H
#define FLEETCAST_ENGINE_CSV_READER_H

#include "engine/diagnostics.h"
#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv_reader;

/* Opens path and reads the header. columns: NULL-terminated names that must be there (a missing one
 * is an error naming it; other columns are allowed and ignored; order is free). Errors go to d.
 * shown_name: what messages call the file; must outlive d (NULL: path, which then must). NULL on
 * failure. Limits: 1 MiB a record, 4,096 columns. A byte-order mark is skipped. CR, LF and CRLF end
 * a line, blank lines are no records, spaces round a bare field are not part of it. Two columns of
 * one name are an error; several without a name are not (spreadsheets leave them). columns may be
 * NULL. */
struct csv_reader *csv_open(const char *path, const char *shown_name, const char *const *columns,
                            struct diagnostics *d);
/* Like csv_open, on text in memory (borrowed until csv_close). */
struct csv_reader *csv_open_text(const char *text, size_t length, const char *shown_name,
                                 const char *const *columns, struct diagnostics *d);
/* Rows of another shape before the header, as price lists have them: handed on one by one, until
 * the row that begins with the name `header_begins`, which must be among the first
 * CSV_PREAMBLE_ROWS.
 */
#define CSV_PREAMBLE_ROWS 64
struct csv_preamble {
    const char *header_begins;
    /* value: of the second field, "" when there is none. Valid during the call. */
    void (*row)(void *context, const char *name, const char *value);
    void *context;
};
/* Like csv_open, with such rows. */
struct csv_reader *csv_open_behind(const char *path, const char *shown_name,
                                   const struct csv_preamble *preamble, const char *const *columns,
                                   struct diagnostics *d);
void csv_close(struct csv_reader *r);

/* 1: a record; 0: end; -1: an error that ends reading (already in d; includes ragged rows, an
 * unclosed quote, NUL bytes, invalid UTF-8, a record above the limit). */
int csv_next(struct csv_reader *r);
int csv_line(const struct csv_reader *r); /* line on which the record starts */
struct place csv_place(const struct csv_reader *r);

/* Column `index` of the names given to csv_open; valid until the next csv_next. "" = missing. */
const char *csv_text(const struct csv_reader *r, size_t index);
bool csv_missing(const struct csv_reader *r, size_t index);
/* Numbers in the C locale, finite; no hexadecimal, no thousands, no spaces. On failure an error
 * naming file, line, column and text goes to d, and false returns, with *out untouched; reading may
 * go on. A missing value is an error too, and so is INT64_MIN, which inside stands for missing. */
bool csv_double(struct csv_reader *r, size_t index, double *out);
bool csv_int64(struct csv_reader *r, size_t index, int64_t *out);
bool csv_money(struct csv_reader *r, size_t index, money_t *out); /* exact; at most 9 decimals */
bool csv_date(struct csv_reader *r, size_t index, int64_t *unix_s);

/* A column that csv_open did not name (`empirical(file.csv, column)`): its index in the file, or
 * -1. */
int csv_find_column(const struct csv_reader *r, const char *name);
const char *csv_raw(const struct csv_reader *r, int file_column);
/* All names of the header, in the file's order; NULL behind the last. */
const char *csv_column_name(const struct csv_reader *r, int file_column);

#endif
