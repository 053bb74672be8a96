/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats of real bills: which columns they have, and what a row means. A new one is one file
 * and one row of the list. */
#ifndef FLEETCAST_SCENARIOS_BILL_FORMATS_H
#define FLEETCAST_SCENARIOS_BILL_FORMATS_H

#include "scenarios/import/bill_export.h"

#define BILL_COLUMNS_MAX 24

struct bill_reading;

/* The row that is read. */
struct bill_cells {
    const struct bill_reading *reading;
};

struct bill_column {
    const char *name;
    bool needed; /* a file without it is of another format */
};

struct bill_format {
    const char *name;
    const struct bill_column *columns;
    size_t column_count;
    size_t currency; /* which column says it */
    /* Fills the line; false with the reason told. */
    bool (*read)(const struct bill_cells *c, struct bill_line *l);
};

extern const struct bill_format bill_format_focus, bill_format_cur, bill_format_cur_older;
extern const struct bill_format *const bill_formats[]; /* NULL-terminated */

/* For read: the text of a column, "" when the file does not have it. */
const char *bill_cell(const struct bill_cells *c, size_t column);
/* Empty is zero in a column that a file may lack, and refused in one that is needed: what is not
 * stated is not free. False, told, when it is no number of at most 1e12 either way. */
bool bill_number(const struct bill_cells *c, size_t column, double *out);
/* False, told, when the file lacks a column without which a line of this kind has no cost. */
bool bill_needs(const struct bill_cells *c, size_t column, const char *kind);
/* Tells what a cell holds and what was expected; false. */
bool bill_refuse(const struct bill_cells *c, size_t column, const char *expected);
bool bill_time(const struct bill_cells *c, size_t column, int64_t *unix_s);

#endif
