/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV out: an own buffered writer (libcsv's quotes every field, printf's numbers are slow and show
 * binary dust). RFC 4180: comma, LF, UTF-8, one row after the other. A value that begins with
 * '=', '+', '-' or '@' is written as it is: negative numbers do, and data is not rewritten for the
 * sake of spreadsheets that take such text for a formula. */
#ifndef FLEETCAST_ENGINE_CSV_WRITER_H
#define FLEETCAST_ENGINE_CSV_WRITER_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv_writer { /* private but for `error` */
    FILE *out;
    char *buffer;
    size_t used;
    bool at_row_start;
    bool row_is_blank; /* one field so far, and nothing in it */
    int error;         /* errno of the first failed write; 0 when all is well */
};

/* out stays the caller's. False when out of memory. */
bool csv_writer_init(struct csv_writer *w, FILE *out);

/* Text is UTF-8; bytes that are not are shown as \xff. Quoted only when it holds a comma, a quote,
 * CR or LF, or a space or tab at an end. "" and NULL are missing. */
void csv_put_text(struct csv_writer *w, const char *text);
/* The form that people and spreadsheets read, with at least 6 significant digits: fixed point,
 * correctly rounded (ties to even), trailing zeros dropped, with up to 6 decimals when
 * 0.1 <= |v| < 1e15 and up to 9 when 1e-4 <= |v| < 0.1; else as printf's %.9g. NaN and infinity are
 * written as empty: they must never reach a file. No negative zero. */
void csv_put_number(struct csv_writer *w, double value);
void csv_put_integer(struct csv_writer *w, int64_t value);
void csv_put_money(struct csv_writer *w, money_t value); /* exact, as money_text */
void csv_put_time(struct csv_writer *w, int64_t unix_s); /* YYYY-MM-DDTHH:MM:SSZ */
void csv_put_missing(struct csv_writer *w);
/* Ends the row. A row of one missing field is written as "", since a blank line is no record. */
void csv_end_row(struct csv_writer *w);
/* Writes what is in the buffer, flushes `out` and releases the buffer; false if any write failed
 * (errno says why). */
bool csv_writer_finish(struct csv_writer *w);

#endif
