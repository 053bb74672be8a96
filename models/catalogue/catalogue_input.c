/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_input.h. */
#include "models/catalogue/catalogue_input.h"

#include <stdlib.h>

#include "engine/file.h"
#include "engine/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { FILE_LIMIT_BYTES = 16 * 1024 * 1024, DAY_S = 86400 };

bool input_open(struct catalogue_input *in, const char *path, const char *const *columns)
{
    struct diagnostics *d = in->diagnostics;
    in->problems =
        diagnostics_count(d, DIAGNOSTIC_ERROR) + diagnostics_count(d, DIAGNOSTIC_WARNING);
    in->scratch = arena_new(4 * (size_t)FILE_LIMIT_BYTES);
    if (!in->scratch) {
        return input_out_of_memory(in);
    }
    in->text = file_read_regular(in->scratch, path, FILE_LIMIT_BYTES, &in->length, d);
    if (!in->text) {
        in->failed = true;
        return false;
    }
    struct catalogue *c = in->catalogue;
    c->hash = file_hash(c->hash, in->text, in->length);
    in->csv = csv_open_text(in->text, in->length, in->shown_name, columns, d);
    in->failed = in->csv == NULL;
    return !in->failed;
}

bool input_open_table(struct catalogue_input *in, enum catalogue_file file,
                      const char *const *columns)
{
    struct catalogue *c = in->catalogue;
    in->shown_name = catalogue_file_names[file];
    const char *path = file_join(c->arena, c->folder, in->shown_name);
    return path ? input_open(in, path, columns) : input_out_of_memory(in);
}

bool input_close(struct catalogue_input *in)
{
    struct diagnostics *d = in->diagnostics;
    size_t problems =
        diagnostics_count(d, DIAGNOSTIC_ERROR) + diagnostics_count(d, DIAGNOSTIC_WARNING);
    if (in->text && problems > in->problems) {
        diagnostics_source(d, in->shown_name, in->text, in->length);
    }
    if (in->csv) {
        csv_close(in->csv);
    }
    arena_free(in->scratch);
    bool good = !in->failed;
    in->csv = NULL;
    in->scratch = NULL;
    in->text = NULL;
    return good;
}

bool input_next(struct catalogue_input *in, size_t count, size_t most)
{
    int status = csv_next(in->csv);
    if (status < 0) {
        in->failed = true;
    }
    if (status > 0 && count >= most) {
        input_error(in, "more than %zu rows; no table of the catalogue may be longer", most);
        return false;
    }
    return status > 0;
}

void input_error(struct catalogue_input *in, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(in->diagnostics, DIAGNOSTIC_ERROR, csv_place(in->csv), format, args);
    va_end(args);
    in->failed = true;
}

bool input_out_of_memory(struct catalogue_input *in)
{
    diagnostics_add(in->diagnostics, DIAGNOSTIC_FAILURE, (struct place){in->shown_name, 0, 0},
                    "out of memory while reading the catalogue");
    in->failed = true;
    return false;
}

const char *input_text(struct catalogue_input *in, size_t column, const char *name, bool required)
{
    const char *value = csv_text(in->csv, column);
    if (!*value) {
        if (required) {
            input_error(in, "'%s' is empty; every row needs it", name);
            return NULL;
        }
        return "";
    }
    const char *copy = arena_string(in->catalogue->arena, value);
    if (!copy) {
        input_out_of_memory(in);
    }
    return copy;
}

const char *input_source(struct catalogue_input *in, const char *text)
{
    if (in->last_source && strcmp(in->last_source, text) == 0) {
        return in->last_source;
    }
    in->last_source = arena_string(in->catalogue->arena, text);
    if (!in->last_source) {
        input_out_of_memory(in);
    }
    return in->last_source;
}

bool input_amount(struct catalogue_input *in, size_t column, const char *name, double factor,
                  bool required, double *out)
{
    *out = 0.0;
    if (csv_missing(in->csv, column)) {
        if (required) {
            input_error(in, "'%s' is empty; every row needs it", name);
        }
        return !required;
    }
    double value;
    if (!csv_double(in->csv, column, &value)) {
        in->failed = true;
        return false;
    }
    if (!(value >= 0.0 && value <= 1e9) || (required && value == 0.0)) {
        input_error(in, "'%s' is '%s'; expected a number %s and at most 1e9", name,
                    csv_text(in->csv, column), required ? "above 0" : "that is not negative");
        return false;
    }
    *out = value * factor;
    return true;
}

bool input_day(struct catalogue_input *in, size_t column, int64_t *unix_s)
{
    if (!csv_date(in->csv, column, unix_s)) {
        in->failed = true;
        return false;
    }
    if (*unix_s % DAY_S != 0) {
        input_error(in, "the date '%s' has a time; expected a day such as 2026-03-02",
                    csv_text(in->csv, column));
        return false;
    }
    return true;
}

static void unknown_name(struct catalogue_input *in, const char *what, const char *name,
                         const char *meant)
{
    if (meant) {
        input_error(in, "unknown %s '%s'; did you mean '%s'?", what, name, meant);
    } else {
        input_error(in, "unknown %s '%s'; expected one that the catalogue describes", what, name);
    }
}

bool input_cell(struct catalogue_input *in, size_t region_column, size_t type_column,
                uint32_t *cell, size_t *region)
{
    struct catalogue *c = in->catalogue;
    const char *code = csv_text(in->csv, region_column);
    const char *name = csv_text(in->csv, type_column);
    size_t type = store_type(c, name);
    *region = store_region(c, code);
    if (*region == NOT_FOUND) {
        unknown_name(in, "region", code, catalogue_suggest_region(c, code));
    }
    if (type == NOT_FOUND) {
        unknown_name(in, "instance type", name, catalogue_suggest_type(c, name));
    }
    if (*region == NOT_FOUND || type == NOT_FOUND) {
        return false;
    }
    *cell = (uint32_t)store_cell(c, type, *region);
    return true;
}

bool input_columns(struct catalogue_input *in, const char *const *columns)
{
    csv_close(in->csv);
    in->csv = csv_open_text(in->text, in->length, in->shown_name, columns, in->diagnostics);
    in->failed = in->csv == NULL;
    return !in->failed;
}

bool input_read_rows(struct catalogue_input *in, const struct input_rows *rows)
{
    char *memory = NULL;
    size_t count = 0, capacity = 0;
    while (input_next(in, count, rows->most)) {
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            char *grown = realloc(memory, capacity * rows->size);
            if (!grown) {
                input_out_of_memory(in);
                break;
            }
            memory = grown;
        }
        void *row = memory + count * rows->size;
        memset(row, 0, rows->size);
        count += rows->read(in, row);
    }
    if (count > 0) {
        rows->finish(in, memory, count);
    }
    free(memory);
    return input_close(in);
}

bool input_read_optional(struct catalogue *c, const struct input_rows *rows, struct diagnostics *d)
{
    struct catalogue_input in = {.catalogue = c, .diagnostics = d, .shown_name = rows->file};
    const char *path = file_join(c->arena, c->folder, rows->file);
    if (!path) {
        return input_out_of_memory(&in);
    }
    if (!file_exists(path)) {
        return true;
    }
    return input_open(&in, path, rows->columns) ? input_read_rows(&in, rows) : input_close(&in);
}
