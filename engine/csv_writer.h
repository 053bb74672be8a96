/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV out: an own buffered writer (libcsv quotes every field). RFC 4180, comma, LF, UTF-8. */
#ifndef FLEETCAST_ENGINE_CSV_WRITER_H
#define FLEETCAST_ENGINE_CSV_WRITER_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv_writer {
    FILE *out;
    char *buffer;
    size_t used;
    bool at_row_start;
    int error; /* errno of the first failed write; 0 when all is well */
};

bool csv_writer_init(struct csv_writer *w, FILE *out); /* out stays the caller's */
void csv_put_text(struct csv_writer *w, const char *text); /* quoted only when it must be */
/* Shortest form of at most 9 significant decimals after the point that people and spreadsheets read:
 * fixed point with up to 6 decimals, trailing zeros dropped, when 1e-4 <= |v| < 1e15, else %.9g.
 * NaN and infinity are written as empty: they must never reach a file. */
void csv_put_number(struct csv_writer *w, double value);
void csv_put_integer(struct csv_writer *w, int64_t value);
void csv_put_money(struct csv_writer *w, money_t value); /* exact */
void csv_put_time(struct csv_writer *w, int64_t unix_s);
void csv_put_missing(struct csv_writer *w);
void csv_end_row(struct csv_writer *w);
/* Flushes the buffer and releases it; false if any write failed (errno is set). */
bool csv_writer_finish(struct csv_writer *w);

#endif
