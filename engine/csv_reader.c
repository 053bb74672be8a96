/* SPDX-License-Identifier: GPL-3.0-or-later
 * The upper half of CSV in: the header and its names, columns by name, values and their messages.
 * csv_records, below, turns bytes into records. */
#include "engine/csv_reader.h"

#include "engine/civil_time.h"
#include "engine/csv_records.h"
#include "engine/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 60 /* of a value, in a message */

struct csv_reader {
    struct csv_records records;
    char *header_text;
    const char **header;
    size_t header_count;
    size_t *wanted; /* the file's column of each name given to csv_open */
    size_t wanted_count;
};

/* Bytes of s to show, cut between two code points. */
static int shown_bytes(const char *s)
{
    size_t n = strlen(s);
    if (n > SHOWN_BYTES) {
        n = SHOWN_BYTES;
        while (n > 0 && ((unsigned char)s[n] & 0xC0) == 0x80) {
            n--;
        }
    }
    return (int)n;
}

static const char *cut_mark(const char *s)
{
    return strlen(s) > SHOWN_BYTES ? "..." : "";
}

static void stop_for_memory(struct csv_reader *r)
{
    csv_records_stop(&r->records, DIAGNOSTIC_FAILURE, r->records.record_line, 0,
                     "out of memory while reading");
}

/* libcsv passes broken UTF-8 through. */
static void check_utf8(struct csv_reader *r)
{
    struct csv_records *records = &r->records;
    unsigned char seen = 0;
    for (size_t i = 0; i < records->text_used; i++) {
        seen |= (unsigned char)records->text[i];
    }
    if (seen < 0x80) {
        return;
    }
    for (size_t i = 0; i < records->fields; i++) {
        const char *field = records->text + records->starts[i];
        if (!text_is_utf8(field, strlen(field))) {
            csv_records_stop(records, DIAGNOSTIC_ERROR, records->record_line, 0,
                             "column %zu holds bytes that are not UTF-8; expected text in UTF-8",
                             i + 1);
            return;
        }
    }
}

static int read_record(struct csv_reader *r)
{
    int got = csv_records_next(&r->records);
    if (got == 1) {
        check_utf8(r);
    }
    return r->records.failed ? -1 : got;
}

/* ---- the header ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names must differ; a nameless column (spreadsheets leave them at the right) is never found, so
 * there may be several. */
static void check_duplicates(struct csv_reader *r)
{
    const char **sorted = malloc(r->header_count * sizeof *sorted);
    if (sorted == NULL) {
        stop_for_memory(r);
        return;
    }
    memcpy(sorted, r->header, r->header_count * sizeof *sorted);
    qsort(sorted, r->header_count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < r->header_count; i++) {
        bool again = strcmp(sorted[i], sorted[i - 1]) == 0;
        bool said = i > 1 && strcmp(sorted[i], sorted[i - 2]) == 0;
        if (again && !said && sorted[i][0] != '\0') {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                             "two columns are named '%.*s%s'", shown_bytes(sorted[i]), sorted[i],
                             cut_mark(sorted[i]));
        }
    }
    free(sorted);
}

static void find_wanted(struct csv_reader *r, const char *const *columns)
{
    size_t count = 0;
    while (columns != NULL && columns[count] != NULL) {
        count++;
    }
    r->wanted = malloc((count + 1) * sizeof *r->wanted);
    if (r->wanted == NULL) {
        stop_for_memory(r);
        return;
    }
    r->wanted_count = count;
    for (size_t i = 0; i < count; i++) {
        int found = csv_find_column(r, columns[i]);
        r->wanted[i] = found < 0 ? 0 : (size_t)found;
        if (found >= 0) {
            continue;
        }
        const char *meant = text_suggest(columns[i], r->header, r->header_count);
        const char *only = r->header[0];
        if (meant != NULL && meant[0] != '\0') {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                             "no column '%s'; did you mean '%.*s%s'?", columns[i],
                             shown_bytes(meant), meant, cut_mark(meant));
        } else if (r->header_count == 1 && strpbrk(only, ";\t|") != NULL) {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                             "no column '%s'; expected columns separated by commas, found '%.*s%s'",
                             columns[i], shown_bytes(only), only, cut_mark(only));
        } else {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                             "no column '%s'", columns[i]);
        }
    }
}

/* Hands on what stands before the header; as read_record, on the header. */
static int read_preamble(struct csv_reader *r, const struct csv_preamble *p)
{
    int got = read_record(r);
    for (int rows = 0; got == 1; rows++) {
        const char *name = csv_raw(r, 0);
        if (strcmp(name, p->header_begins) == 0) {
            break;
        }
        if (rows == CSV_PREAMBLE_ROWS) {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                             "no row of column names so far; expected one that begins with '%s'",
                             p->header_begins);
            return -1;
        }
        p->row(p->context, name, csv_raw(r, 1));
        got = read_record(r);
        if (got == 0) {
            csv_records_stop(&r->records, DIAGNOSTIC_ERROR, 0, 0,
                             "no row of column names; expected one that begins with '%s'",
                             p->header_begins);
        }
    }
    return got;
}

static void read_header(struct csv_reader *r, const struct csv_preamble *preamble,
                        const char *const *columns)
{
    int got = preamble == NULL ? read_record(r) : read_preamble(r, preamble);
    if (got == 0 && !r->records.failed) {
        csv_records_stop(&r->records, DIAGNOSTIC_ERROR, 0, 0,
                         "the file is empty; expected a row of column names");
    }
    if (got != 1) {
        return;
    }
    r->header = malloc(r->records.fields * sizeof *r->header);
    if (r->header == NULL) {
        stop_for_memory(r);
        return;
    }
    r->header_text = r->records.text;
    r->header_count = r->records.fields;
    for (size_t i = 0; i < r->records.fields; i++) {
        r->header[i] = r->header_text + r->records.starts[i];
    }
    r->records.text = NULL;
    r->records.text_used = 0;
    r->records.text_capacity = 0;
    r->records.fields = 0;
    check_duplicates(r);
    find_wanted(r, columns);
}

/* ---- opening and closing ---- */

static struct csv_reader *reader_new(const char *name, struct diagnostics *d)
{
    struct csv_reader *r = calloc(1, sizeof *r);
    if (r == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){name, 0, 0},
                        "out of memory while reading");
    }
    return r;
}

static struct csv_reader *reader_start(struct csv_reader *r, const struct csv_preamble *preamble,
                                       const char *const *columns)
{
    if (!r->records.failed) {
        read_header(r, preamble, columns);
    }
    if (r->records.failed) {
        csv_close(r);
        return NULL;
    }
    return r;
}

struct csv_reader *csv_open_behind(const char *path, const char *shown_name,
                                   const struct csv_preamble *preamble, const char *const *columns,
                                   struct diagnostics *d)
{
    const char *name = shown_name != NULL ? shown_name : path;
    struct csv_reader *r = reader_new(name, d);
    if (r == NULL) {
        return NULL;
    }
    csv_records_init_file(&r->records, path, name, d);
    return reader_start(r, preamble, columns);
}

struct csv_reader *csv_open(const char *path, const char *shown_name, const char *const *columns,
                            struct diagnostics *d)
{
    return csv_open_behind(path, shown_name, NULL, columns, d);
}

struct csv_reader *csv_open_text(const char *text, size_t length, const char *shown_name,
                                 const char *const *columns, struct diagnostics *d)
{
    struct csv_reader *r = reader_new(shown_name, d);
    if (r == NULL) {
        return NULL;
    }
    csv_records_init_text(&r->records, text, length, shown_name, d);
    return reader_start(r, NULL, columns);
}

void csv_close(struct csv_reader *r)
{
    if (r == NULL) {
        return;
    }
    csv_records_release(&r->records);
    free(r->header_text);
    free(r->header);
    free(r->wanted);
    free(r);
}

/* ---- records ---- */

int csv_next(struct csv_reader *r)
{
    int got = read_record(r);
    if (got == 1 && r->records.fields != r->header_count) {
        csv_records_stop(&r->records, DIAGNOSTIC_ERROR, r->records.record_line, 0,
                         "expected %zu column%s, found %zu", r->header_count,
                         r->header_count == 1 ? "" : "s", r->records.fields);
        r->records.fields = 0;
        return -1;
    }
    return got;
}

int csv_line(const struct csv_reader *r)
{
    return r->records.record_line;
}

struct place csv_place(const struct csv_reader *r)
{
    return (struct place){r->records.name, r->records.record_line, 0};
}

const char *csv_raw(const struct csv_reader *r, int file_column)
{
    if (file_column < 0 || (size_t)file_column >= r->records.fields) {
        return "";
    }
    return r->records.text + r->records.starts[file_column];
}

const char *csv_column_name(const struct csv_reader *r, int file_column)
{
    return file_column >= 0 && (size_t)file_column < r->header_count ? r->header[file_column]
                                                                     : NULL;
}

int csv_find_column(const struct csv_reader *r, const char *name)
{
    for (size_t i = 0; i < r->header_count; i++) {
        if (name[0] != '\0' && strcmp(r->header[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const char *csv_text(const struct csv_reader *r, size_t index)
{
    return index < r->wanted_count ? csv_raw(r, (int)r->wanted[index]) : "";
}

bool csv_missing(const struct csv_reader *r, size_t index)
{
    return csv_text(r, index)[0] == '\0';
}

/* ---- values ---- */

/* "column 'price': 'bad' is not a number": false, and reading may go on. */
static bool refuse(struct csv_reader *r, size_t index, const char *wanted)
{
    const char *column = index < r->wanted_count ? r->header[r->wanted[index]] : "";
    const char *value = csv_text(r, index);
    if (value[0] == '\0') {
        diagnostics_add(r->records.diagnostics, DIAGNOSTIC_ERROR, csv_place(r),
                        "column '%s' is empty; expected %s", column, wanted);
    } else {
        diagnostics_add(r->records.diagnostics, DIAGNOSTIC_ERROR, csv_place(r),
                        "column '%s': '%.*s%s' is not %s", column, shown_bytes(value), value,
                        cut_mark(value), wanted);
    }
    return false;
}

bool csv_double(struct csv_reader *r, size_t index, double *out)
{
    const char *value = csv_text(r, index);
    /* strtod alone would take "nan", "inf", "0x1p3" and leading spaces. */
    if (value[0] == '\0' || value[strspn(value, "0123456789+-.eE")] != '\0') {
        return refuse(r, index, "a number");
    }
    char *end;
    errno = 0;
    double number = strtod(value, &end);
    if (*end != '\0') {
        return refuse(r, index, "a number");
    }
    if (!isfinite(number) || (errno == ERANGE && number == 0.0)) {
        return refuse(r, index, "a number within the range of doubles");
    }
    *out = number;
    return true;
}

bool csv_int64(struct csv_reader *r, size_t index, int64_t *out)
{
    const char *value = csv_text(r, index);
    if (value[0] == '\0' || value[strspn(value, "0123456789+-")] != '\0') {
        return refuse(r, index, "a whole number");
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (*end != '\0') {
        return refuse(r, index, "a whole number");
    }
    if (errno == ERANGE || number == INT64_MIN) {
        return refuse(r, index, "a whole number between -2^63 and 2^63, both excluded");
    }
    *out = number;
    return true;
}

/* "-12.3456" of at most 9 decimals into nano-units, without a double on the way. */
static bool parse_money(const char *text, money_t *out)
{
    bool negative = text[0] == '-';
    const char *s = text + negative;
    int64_t nano = 0;
    int decimals = -1; /* digits behind the point; -1 before it */
    int digits = 0;
    for (; *s != '\0'; s++) {
        if (*s == '.' && decimals < 0 && digits > 0) {
            decimals = 0;
            continue;
        }
        if (*s < '0' || *s > '9' || decimals == 9 ||
            __builtin_mul_overflow(nano, (int64_t)10, &nano) ||
            __builtin_add_overflow(nano, (int64_t)(*s - '0'), &nano)) {
            return false;
        }
        digits++;
        decimals += decimals >= 0;
    }
    if (digits == 0 || decimals == 0) {
        return false;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 9; i++) {
        if (__builtin_mul_overflow(nano, (int64_t)10, &nano)) {
            return false;
        }
    }
    *out = negative ? -nano : nano;
    return true;
}

bool csv_money(struct csv_reader *r, size_t index, money_t *out)
{
    if (!parse_money(csv_text(r, index), out)) {
        return refuse(r, index, "an amount of money with at most 9 decimals");
    }
    return true;
}

bool csv_date(struct csv_reader *r, size_t index, int64_t *unix_s)
{
    const char *value = csv_text(r, index);
    if (value[0] == '\0' || !civil_parse(value, unix_s)) {
        return refuse(r, index, "a date such as 2026-03-02");
    }
    return true;
}
