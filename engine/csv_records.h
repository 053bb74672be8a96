/* SPDX-License-Identifier: GPL-3.0-or-later
 * The lower half of csv_reader: from bytes to records, through libcsv. Knows lines and limits, but
 * neither headers nor values; nothing but csv_reader.c should need it. */
#ifndef FLEETCAST_ENGINE_CSV_RECORDS_H
#define FLEETCAST_ENGINE_CSV_RECORDS_H

#include "engine/diagnostics.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_RECORD_LIMIT (1024 * 1024) /* bytes, quotes and line end included */
#define CSV_FIELD_LIMIT  4096          /* fields a record */

struct csv_records {
    /* Read only for the caller: the record, its fields one behind the other, each with its NUL. */
    const char *name;                 /* of the file, in messages */
    int record_line;                  /* on which the record starts */
    size_t fields;                    /* 0 unless csv_records_next returned 1 */
    uint32_t starts[CSV_FIELD_LIMIT]; /* of each field in text */
    char *text;
    size_t text_used;

    /* Private from here. The bytes not yet fed are data[position .. length). */
    struct csv_parser parser;
    struct diagnostics *diagnostics;
    FILE *file;  /* NULL: all of the text is in data */
    char *block; /* what data points to when there is a file */
    const char *data;
    size_t length;
    size_t position;
    size_t next_lf; /* first LF and CR at or behind position, or length */
    size_t next_cr;
    int line;       /* of the byte at position */
    int column;     /* code points of that line already fed */
    bool after_cr;  /* an LF now belongs to the CR before it */
    bool in_record; /* a record has begun and not ended */
    bool ended;
    bool failed;
    size_t record_bytes;
    size_t text_capacity;
    bool complete;
    bool too_many_fields;
    bool out_of_memory;
};

/* name is borrowed and must outlive d. False on failure, told in d; csv_records_release is then
 * still due. */
bool csv_records_init_file(struct csv_records *r, const char *path, const char *name,
                           struct diagnostics *d);
bool csv_records_init_text(struct csv_records *r, const char *text, size_t length, const char *name,
                           struct diagnostics *d);
void csv_records_release(struct csv_records *r);

/* 1: a record is there; 0: end; -1: an error, now or before. */
int csv_records_next(struct csv_records *r);

/* Adds an error that ends the reading: csv_records_next returns -1 from now on. */
void csv_records_stop(struct csv_records *r, enum diagnostic_kind kind, int line, int column,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
