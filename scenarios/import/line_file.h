/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plain text in, line by line, for the formats without a header that csv_reader asks for. Streams:
 * memory does not grow with the file. */
#ifndef FLEETCAST_SCENARIOS_LINE_FILE_H
#define FLEETCAST_SCENARIOS_LINE_FILE_H

#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_FILE_LONGEST 65536 /* bytes of a line */

struct line_file {
    char *text; /* read only: the line, without its end and without spaces round it */
    int line;   /* its number, from 1 */

    /* private */
    const char *path;
    struct diagnostics *d;
    FILE *file;
    char *buffer;
    size_t capacity;
    bool failed, unended;
};

/* What cannot be read is told in d; line_file_close is due all the same. The path must outlive
 * it. */
bool line_file_open(struct line_file *f, const char *path, struct diagnostics *d);
void line_file_close(struct line_file *f);
/* The next line in which something stands; a byte-order mark is skipped, CR and LF end a line.
 * False at the end, and on an error (told: too long, NUL bytes, bytes that are not UTF-8, a disk
 * that fails), which line_file_failed tells apart. */
bool line_file_next(struct line_file *f);
static inline bool line_file_failed(const struct line_file *f)
{
    return f->failed;
}

/* True when the line read last has no line feed behind it, as one that was cut has none. */
static inline bool line_file_unended(const struct line_file *f)
{
    return f->unended;
}

/* Cuts the line at each separator, in place; fields lose the spaces round them. How many there are,
 * also beyond `most`, which are left out. */
size_t line_file_split(struct line_file *f, char separator, char **fields, size_t most);
/* Tells an error at this line and ends the file; false. */
bool line_file_refuse(struct line_file *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Likewise, a failure. */
bool line_file_no_memory(struct line_file *f);

#endif
