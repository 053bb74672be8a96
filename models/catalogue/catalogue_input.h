/* SPDX-License-Identifier: GPL-3.0-or-later
 * One CSV file of the catalogue while it is read: its text, its reader, and the checks that all
 * files share. Text that stays is copied into the catalogue's arena; the file itself is not kept.
 */
#ifndef FLEETCAST_MODELS_CATALOGUE_INPUT_H
#define FLEETCAST_MODELS_CATALOGUE_INPUT_H

#include "engine/csv_reader.h"
#include "models/catalogue/catalogue_folder.h"
#include "models/catalogue/catalogue_store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct catalogue_input {
    struct catalogue *catalogue;
    struct diagnostics *diagnostics;
    const char *shown_name; /* outlives the diagnostics */
    uint32_t layer;         /* 0 = shipped */
    struct csv_reader *csv;
    struct arena *scratch; /* the file's text */
    const char *text;
    size_t length;
    const char *last_source; /* copies of equal sources are shared from row to row */
    size_t problems;         /* told before this file was opened */
    bool failed;
};

/* Reads the file, adds it to the catalogue's hash, and opens it with these columns. False on
 * failure, told in the diagnostics; input_close must be called either way. */
bool input_open(struct catalogue_input *in, const char *path, const char *const *columns);
/* The same for a file of the catalogue's folder, which messages call by its name alone. */
bool input_open_table(struct catalogue_input *in, enum catalogue_file file,
                      const char *const *columns);
/* Goes back to the header of an opened file, and wants these columns now. */
bool input_columns(struct catalogue_input *in, const char *const *columns);
/* False when reading ended in an error. Lines can be quoted by the diagnostics from then on. */
bool input_close(struct catalogue_input *in);
/* A record? Counts them against `most`. */
bool input_next(struct catalogue_input *in, size_t count, size_t most);

/* What a file holds: rows of one struct. */
struct input_rows {
    const char *file; /* in the catalogue's folder, which may lack it */
    const char *const *columns;
    size_t size, most; /* of a row; rows of a file */
    /* One record into a zeroed row; false when it is wrong (told). */
    bool (*read)(struct catalogue_input *in, void *row);
    /* Sorts, checks and keeps them; count > 0. The memory is not the catalogue's. */
    void (*finish)(struct catalogue_input *in, void *rows, size_t count);
};
/* All records of an opened file, finished; closes it. */
bool input_read_rows(struct catalogue_input *in, const struct input_rows *rows);
/* A folder without the file has no such rows, which is no error. */
bool input_read_optional(struct catalogue *c, const struct input_rows *rows, struct diagnostics *d);

void input_error(struct catalogue_input *in, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Memory is out: told as a failure of the machine. Always false. */
bool input_out_of_memory(struct catalogue_input *in);

/* The column's text in the arena; an empty one is an error when `required`, else "". NULL on error.
 */
const char *input_text(struct catalogue_input *in, size_t column, const char *name, bool required);
/* The source of the row: as input_text, but shared with the row before when it is the same. */
const char *input_source(struct catalogue_input *in, const char *text);
/* A number >= 0 times `factor`; missing: 0, or an error when `required`. */
bool input_amount(struct catalogue_input *in, size_t column, const char *name, double factor,
                  bool required, double *out);
/* A day: a date without a time of day. */
bool input_day(struct catalogue_input *in, size_t column, int64_t *unix_s);
/* The cell of the row's type and region, both of which must be known. */
bool input_cell(struct catalogue_input *in, size_t region_column, size_t type_column,
                uint32_t *cell, size_t *region);

#endif
