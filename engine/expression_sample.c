/* SPDX-License-Identifier: GPL-3.0-or-later
 * A plain number in a file has a unit only if the column's name says so (boot_s): seconds read as
 * minutes would be wrong and plausible. The suffixes are those of our own CSV files. */
#include "engine/expression_sample.h"

#include "engine/csv_reader.h"
#include "engine/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum dimension dimension;
    const char *suffix, *unit;
} suffixes[] = {
    {DIMENSION_TIME, "_us", "us"},
    {DIMENSION_TIME, "_ms", "ms"},
    {DIMENSION_TIME, "_s", "s"},
    {DIMENSION_TIME, "_min", "min"},
    {DIMENSION_TIME, "_h", "h"},
    {DIMENSION_TIME, "_d", "d"},
    {DIMENSION_TIME, "_seconds", "s"},
    {DIMENSION_TIME, "_minutes", "min"},
    {DIMENSION_TIME, "_hours", "h"},
    {DIMENSION_TIME, "_days", "d"},
    {DIMENSION_SHARE, "_percent", "%"},
    {DIMENSION_SHARE, "_pct", "%"},
    {DIMENSION_DATA, "_bytes", "B"},
    {DIMENSION_DATA, "_kb", "kB"},
    {DIMENSION_DATA, "_mb", "MB"},
    {DIMENSION_DATA, "_gb", "GB"},
    {DIMENSION_DATA, "_tb", "TB"},
    {DIMENSION_DATA, "_kib", "KiB"},
    {DIMENSION_DATA, "_mib", "MiB"},
    {DIMENSION_DATA, "_gib", "GiB"},
    {DIMENSION_DATA, "_tib", "TiB"},
    {DIMENSION_DATA_RATE, "_bytes_per_s", "B/s"},
    {DIMENSION_DATA_RATE, "_mb_per_s", "MB/s"},
    {DIMENSION_DATA_RATE, "_gb_per_s", "GB/s"},
    {DIMENSION_DATA_RATE, "_mib_per_s", "MiB/s"},
    {DIMENSION_DATA_RATE, "_gib_per_s", "GiB/s"},
    {DIMENSION_DATA_RATE, "_mbit_per_s", "Mbit/s"},
    {DIMENSION_DATA_RATE, "_gbit_per_s", "Gbit/s"},
    {DIMENSION_RATE, "_per_s", "/s"},
    {DIMENSION_RATE, "_per_min", "/min"},
    {DIMENSION_RATE, "_per_h", "/h"},
    {DIMENSION_RATE, "_per_hour", "/h"},
    {DIMENSION_RATE, "_per_d", "/d"},
    {DIMENSION_RATE, "_per_day", "/d"},
    {DIMENSION_FLOPS, "_tflops", "TFLOPS"},
    {DIMENSION_FLOPS, "_pflops", "PFLOPS"},
};

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n > m && strcmp(s + n - m, end) == 0;
}

/* "usd" at the end of "cost_usd" as "USD"; "" when there is no such code. */
static void currency_unit(const char *column, size_t length, const char *per, char out[16])
{
    out[0] = '\0';
    if (length < 5 || column[length - 4] != '_')
        return;
    for (size_t i = 0; i < 3; i++) {
        char letter = column[length - 3 + i];
        if (letter < 'a' || letter > 'z') {
            out[0] = '\0';
            return;
        }
        out[i] = (char)toupper((unsigned char)letter);
    }
    memcpy(out + 3, per, strlen(per) + 1);
}

const char *expression_column_unit(const char *column, enum dimension dimension, char out[16])
{
    size_t length = strlen(column);

    out[0] = '\0';
    if (dimension == DIMENSION_SPAN || dimension == DIMENSION_OFFSET)
        dimension = DIMENSION_TIME;
    if (dimension == DIMENSION_HAZARD)
        dimension = DIMENSION_RATE;
    if (dimension == DIMENSION_MONEY) {
        currency_unit(column, length, "", out);
    } else if (dimension == DIMENSION_PRICE) {
        if (ends_with(column, "_per_hour"))
            currency_unit(column, length - strlen("_per_hour"), "/h", out);
        else if (ends_with(column, "_per_h"))
            currency_unit(column, length - strlen("_per_h"), "/h", out);
    }
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        if (suffixes[i].dimension == dimension && ends_with(column, suffixes[i].suffix))
            snprintf(out, 16, "%s", suffixes[i].unit);
    return out;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct sample_column {
    double *values; /* on the heap while it grows */
    size_t count, capacity;
};

static bool keep(struct sample_column *s, double value)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity == 0 ? 256 : s->capacity * 2;
        double *grown = realloc(s->values, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        s->values = grown;
        s->capacity = capacity;
    }
    s->values[s->count++] = value;
    return true;
}

/* One cell with its own unit or that of the column. */
static bool read_cell(const char *cell, const char *unit, struct expression_context *c,
                      double *value)
{
    enum dimension dimension = c->dimension == DIMENSION_HAZARD ? DIMENSION_RATE : c->dimension;
    struct span s = span_trim(cell, strlen(cell));
    char with_unit[160];

    if (s.length == 0)
        return expression_fail(c, "a value is missing");
    if (unit[0] != '\0' && s.length < 120 && quantity_number_length(s.text, s.length) == s.length) {
        snprintf(with_unit, sizeof(with_unit), "%.*s %s", (int)s.length, s.text, unit);
        s = span_trim(with_unit, strlen(with_unit));
    }
    return expression_value(s, c, dimension, value);
}

static bool read_column(struct csv_reader *r, const char *shown, const char *unit,
                        struct expression_context *c, struct sample_column *s)
{
    char what[300];
    double value = 0;
    int got;

    while ((got = csv_next(r)) == 1) {
        if (!read_cell(csv_text(r, 0), unit, c, &value)) {
            snprintf(what, sizeof(what), "%s", c->message);
            return expression_fail(c, "%s:%d: %s", shown, csv_line(r), what);
        }
        if (s->count == EXPRESSION_SAMPLE_MAX)
            return expression_fail(c, "%s: more than %d values", shown, EXPRESSION_SAMPLE_MAX);
        if (!keep(s, value))
            return expression_fail(c, "out of memory for the values of %s", shown);
    }
    if (got < 0)
        return false;
    if (s->count == 0)
        return expression_fail(c, "%s: there are no values", shown);
    return true;
}

/* What went wrong inside the reader becomes the message. */
static void pass_on(struct diagnostics *d, const char *shown, struct expression_context *c)
{
    struct place where = {0};
    const char *text = diagnostics_text(d, 0, NULL, &where);

    if (text == NULL)
        expression_fail(c, "cannot read '%s'", shown);
    else if (where.line > 0)
        expression_fail(c, "%s:%d: %s", shown, where.line, text);
    else if (strstr(text, shown) != NULL)
        expression_fail(c, "%s", text);
    else
        expression_fail(c, "%s: %s", shown, text);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

bool expression_sample(struct span file, struct span column, struct expression_context *c,
                       const double **values, size_t *count)
{
    char *name = arena_copy(c->arena, file.text, file.length);
    char *column_name = arena_copy(c->arena, column.text, column.length);
    char *path = name == NULL
                     ? NULL
                     : file_join(c->arena, c->base_folder == NULL ? "." : c->base_folder, name);
    struct diagnostics *d = diagnostics_new();
    struct sample_column s = {0};
    struct csv_reader *r = NULL;
    char unit[16];
    bool good = false;

    if (path == NULL || column_name == NULL || d == NULL) {
        expression_fail(c, "out of memory");
    } else if (file_is_folder(path)) {
        expression_fail(c, "'%s' is a folder; a file is wanted", path);
    } else {
        const char *const columns[] = {column_name, NULL};
        r = csv_open(path, path, columns, d);
        expression_column_unit(column_name, c->dimension, unit);
        good = r != NULL && read_column(r, path, unit, c, &s);
        if (r == NULL || diagnostics_failed(d))
            pass_on(d, path, c);
    }
    if (good) {
        double *sorted = arena_array(c->arena, s.count, sizeof(*sorted));
        good = sorted != NULL || expression_fail(c, "out of memory for the values of %s", path);
        if (good) {
            qsort(s.values, s.count, sizeof(*s.values), compare_doubles);
            memcpy(sorted, s.values, s.count * sizeof(*sorted));
            *values = sorted;
            *count = s.count;
            good = inputs_note_file(c->inputs, name) ||
                   expression_fail(c, "out of memory for the values of %s", path);
        }
    }
    if (r != NULL)
        csv_close(r);
    diagnostics_free(d);
    free(s.values);
    return good;
}
