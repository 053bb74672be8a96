/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces of requests to language models, in the formats of those who published them, to fleetcast's
 * table of requests (models/inference/request_trace.h). Time 0 is the first request. */
#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "engine/csv_writer.h"
#include "models/inference/request_trace.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/request_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_TIME, COLUMN_PROMPT, COLUMN_OUTPUT, COLUMNS };

struct request_layout {
    const char *name;
    const char *columns[COLUMNS + 1]; /* time, prompt, output */
    double unit_s;                    /* of times that are numbers; 0: they are instants */
    bool failed_write_nothing;        /* a request without an output failed */
};

static const struct request_layout layouts[] = {
    {"azure", {"TIMESTAMP", "ContextTokens", "GeneratedTokens", NULL}, 0, false},
    {"burstgpt", {"Timestamp", "Request tokens", "Response tokens", NULL}, 1, true},
    {"mooncake", {NULL}, 1e-3, false},
    {"csv", {"time", "prompt_tokens", "output_tokens", NULL}, 0, false},
};
static const char *const layout_names[] = {"azure", "burstgpt", "mooncake", "csv", NULL};
enum { LAYOUT_AZURE, LAYOUT_BURSTGPT, LAYOUT_MOONCAKE, LAYOUT_CSV };

/* ---- gathering ---- */

bool request_rows_append(struct request_rows *rows, const struct import_request *r,
                         const struct imported_request *request, struct place where)
{
    const struct imported_request *last = rows->count > 0 ? &rows->items[rows->count - 1] : NULL;
    if (last != NULL && request->at < last->at) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        "this request comes %.7g s before the one above; expected requests in the "
                        "order of time",
                        (double)(last->at - request->at) / (double)REQUEST_TICKS_PER_S);
        return false;
    }
    if (last != NULL && (double)(request->at - rows->items[0].at) >
                            REQUEST_TRACE_LONGEST_S * (double)REQUEST_TICKS_PER_S) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        "this request comes more than %g s after the first; is the unit right?",
                        REQUEST_TRACE_LONGEST_S);
        return false;
    }
    if (rows->count == REQUEST_TRACE_MOST) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "more than %d requests; cut the file",
                        REQUEST_TRACE_MOST);
        return false;
    }
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity == 0 ? 1024 : 2 * rows->capacity;
        struct imported_request *grown = realloc(rows->items, capacity * sizeof *grown);
        if (grown == NULL) {
            diagnostics_add(r->d, DIAGNOSTIC_FAILURE, where, "out of memory");
            return false;
        }
        rows->items = grown;
        rows->capacity = capacity;
    }
    rows->items[rows->count++] = *request;
    return true;
}

/* ---- CSV ---- */

/* A file of columns by name: those of the layout, or of --columns. */
struct request_columns {
    const struct request_layout *layout;
    const char *names[COLUMNS + 1];
    size_t count;
    double unit_s; /* 0: times are instants */
    bool rows_wrong;
};

/* The seventh digit of a fraction, which import_instant leaves out. */
static int64_t seventh_digit(const char *text)
{
    const char *point = strchr(text, '.');
    size_t digits = point == NULL ? 0 : strspn(point + 1, "0123456789");
    return digits >= 7 ? point[7] - '0' : 0;
}

/* "2023-11-16 18:15:46.6805900", with an offset or without, of which *has_zone tells. */
static bool read_instant(const char *text, int64_t *at, bool *has_zone)
{
    char with_zone[72];
    int64_t us;
    *has_zone = import_instant(text, &us);
    if (!*has_zone) {
        snprintf(with_zone, sizeof with_zone, "%.64sZ", text);
        if (!import_instant(with_zone, &us)) {
            return false;
        }
    }
    *at = us * (REQUEST_TICKS_PER_S / MICROSECONDS) + seventh_digit(text);
    return true;
}

static bool read_time(const struct import_request *r, const struct csv_reader *csv,
                      const struct request_columns *c, struct request_rows *rows, int64_t *at)
{
    const char *text = csv_text(csv, COLUMN_TIME);
    double number;
    bool has_zone = false, good;
    if (c->unit_s > 0) {
        good = import_number(text, &number) && fabs(number * c->unit_s) <= REQUEST_TRACE_LONGEST_S;
        *at = good ? llround(number * c->unit_s * (double)REQUEST_TICKS_PER_S) : 0;
    } else {
        /* A trace that states no zone is published as it is; a table that is said to be in order
         * must say which clock it is on, since clocks are set back. */
        good =
            read_instant(text, at, &has_zone) && (has_zone || c->layout == &layouts[LAYOUT_AZURE]);
    }
    rows->has_zone = rows->count == 0 ? has_zone : rows->has_zone && has_zone;
    if (!good) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "column '%s' is '%.40s'; expected %s", c->names[COLUMN_TIME], text,
                        c->unit_s > 0 ? "a number in the unit of times"
                        : c->layout == &layouts[LAYOUT_AZURE]
                            ? "a time such as 2023-11-16 18:15:46.6805900"
                            : "a time with its offset such as 2023-11-16T18:15:46Z, or --unit for "
                              "times that are bare numbers");
    }
    return good;
}

static bool read_tokens(const struct import_request *r, const struct csv_reader *csv,
                        const struct request_columns *c, size_t column, int64_t *out)
{
    *out = -1;
    if (column >= c->count || (c->layout == &layouts[LAYOUT_CSV] && csv_missing(csv, column)) ||
        import_whole(csv_text(csv, column), REQUEST_TRACE_MOST_TOKENS, out)) {
        return true;
    }
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                    "column '%s' is '%.40s'; expected a whole number of tokens, at most %d",
                    c->names[column], csv_text(csv, column), REQUEST_TRACE_MOST_TOKENS);
    return false;
}

/* False when reading cannot go on; what is wrong with the row is told, and noted. */
static bool read_row(const struct import_request *r, const struct csv_reader *csv,
                     struct request_columns *c, struct request_rows *rows)
{
    struct imported_request request = {.cached = -1};
    bool good = read_time(r, csv, c, rows, &request.at);
    good &= read_tokens(r, csv, c, COLUMN_PROMPT, &request.prompt);
    good &= read_tokens(r, csv, c, COLUMN_OUTPUT, &request.output);
    if (!good) {
        c->rows_wrong = true;
        return true;
    }
    if (c->layout->failed_write_nothing && request.output == 0) {
        rows->failed++;
        return true;
    }
    return request_rows_append(rows, r, &request, csv_place(csv));
}

static bool read_file(const struct import_request *r, const char *path, struct request_columns *c,
                      struct request_rows *rows)
{
    enum { MOST_COMPLAINTS = 20 };
    struct csv_reader *csv = csv_open(path, NULL, c->names, r->d);
    int more = csv == NULL ? -1 : 1;
    while (more > 0 && diagnostics_count(r->d, DIAGNOSTIC_ERROR) < MOST_COMPLAINTS) {
        more = csv_next(csv);
        if (more > 0 && !read_row(r, csv, c, rows)) {
            more = -1;
        }
    }
    if (csv != NULL) {
        csv_close(csv);
    }
    return more == 0 && !c->rows_wrong;
}

/* ---- options ---- */

static bool refuse_option(const struct import_request *r, const char *option, const char *of)
{
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){0}, "option '%s' means nothing for %s",
                    option, of);
    return false;
}

static bool check_options(const struct import_request *r, bool any_csv)
{
    const struct {
        bool given;
        const char *option;
    } options[] = {{r->zone != NULL, "--zone"},         {r->instance != NULL, "--instance"},
                   {r->polarity != NULL, "--polarity"}, {r->product != NULL, "--product"},
                   {r->tick_s > 0, "--tick"},           {r->length_s > 0, "--length"}};
    bool good = true;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        good = (!options[i].given || refuse_option(r, options[i].option, "'requests'")) && good;
    }
    if (!any_csv && r->unit_s > 0) {
        good = refuse_option(r, "--unit", "this layout, which has a unit of its own");
    }
    if (!any_csv && r->columns != NULL) {
        good = refuse_option(r, "--columns", "this layout, which has names of its own");
    }
    return good;
}

/* "arrived,in,out": one to three names. */
static bool split_columns(const struct import_request *r, struct request_columns *c)
{
    const char *at = r->columns;
    for (c->count = 0; at != NULL && c->count < COLUMNS; c->count++) {
        size_t length = strcspn(at, ",");
        c->names[c->count] = arena_copy(r->arena, at, length);
        if (length == 0 || c->names[c->count] == NULL) {
            break;
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    if (at != NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){"--columns", 0, 0},
                        "'%.60s' will not do; expected TIME, TIME,PROMPT or TIME,PROMPT,OUTPUT",
                        r->columns);
        return false;
    }
    c->names[c->count] = NULL;
    return true;
}

static bool read_csv(const struct import_request *r, const struct request_layout *layout,
                     struct request_rows *rows)
{
    struct request_columns c = {.layout = layout, .count = COLUMNS, .unit_s = layout->unit_s};
    memcpy(c.names, layout->columns, sizeof c.names);
    if (layout == &layouts[LAYOUT_CSV]) {
        c.unit_s = r->unit_s;
        if (r->columns != NULL && !split_columns(r, &c)) {
            return false;
        }
    }
    bool good = true;
    for (size_t i = 0; good && i < r->file_count; i++) {
        good = read_file(r, r->files[i], &c, rows);
    }
    return good;
}

/* ---- all of it ---- */

static void say(const struct import_request *r, const struct request_rows *rows)
{
    double s =
        (double)(rows->items[rows->count - 1].at - rows->items[0].at) / (double)REQUEST_TICKS_PER_S;
    text_format(r->said, "%zu request%s over %.3g hours\n", rows->count,
                text_plural((double)rows->count), s / 3600);
    if (rows->failed > 0) {
        text_format(r->said, "left out: %zu without an answer\n", rows->failed);
    }
    if (rows->blocks > 0) {
        text_format(r->said,
                    "%zu blocks of prompts, of which a prefix cache without end has a share of "
                    "%.6f\n",
                    rows->blocks, (double)rows->hit_blocks / (double)rows->blocks);
    }
}

static void *read_requests(const struct import_request *r)
{
    size_t layout = 0;
    while (strcmp(layouts[layout].name, r->layout) != 0) {
        layout++; /* one of them, as the caller made sure */
    }
    struct request_rows *rows = arena_alloc(r->arena, sizeof *rows);
    bool good = rows != NULL && check_options(r, layout == LAYOUT_CSV) &&
                (layout == LAYOUT_MOONCAKE ? request_rows_read_mooncake(rows, r)
                                           : read_csv(r, &layouts[layout], rows));
    if (good && rows->count == 0) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){r->files[0], 0, 0},
                        "no request is in this file");
        good = false;
    }
    if (!good) {
        free(rows == NULL ? NULL : rows->items);
        return NULL;
    }
    say(r, rows);
    return rows;
}

static void release_requests(void *what)
{
    free(((struct request_rows *)what)->items);
}

/* ---- writing ---- */

/* A decimal number with up to seven digits, none of them for nothing. */
static void put_seconds(struct csv_writer *w, int64_t ticks)
{
    char text[48];
    int length = snprintf(text, sizeof text, "%" PRId64 ".%07" PRId64, ticks / REQUEST_TICKS_PER_S,
                          ticks % REQUEST_TICKS_PER_S);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
    csv_put_text(w, text);
}

static void put_start(struct csv_writer *w, int64_t at)
{
    char whole[24], text[48];
    int64_t second = at / REQUEST_TICKS_PER_S - (at % REQUEST_TICKS_PER_S < 0);
    int64_t us = (at - second * REQUEST_TICKS_PER_S) / (REQUEST_TICKS_PER_S / MICROSECONDS);
    civil_time_text(second, whole);
    if (us > 0) {
        snprintf(text, sizeof text, "%.*s.%06" PRId64 "Z", (int)strcspn(whole, "Z"), whole, us);
    }
    csv_put_text(w, us > 0 ? text : whole);
}

static void put_tokens(struct csv_writer *w, int64_t tokens)
{
    if (tokens < 0) {
        csv_put_missing(w);
    } else {
        csv_put_integer(w, tokens);
    }
}

static bool write_requests(const void *what, FILE *out)
{
    static const char *const names[] = {"start", "time_s", "prompt_tokens", "output_tokens",
                                        "cached_tokens"};
    const struct request_rows *rows = what;
    struct csv_writer w;
    if (!csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        csv_put_text(&w, names[i]);
    }
    csv_end_row(&w);
    for (size_t i = 0; i < rows->count && w.error == 0; i++) {
        const struct imported_request *q = &rows->items[i];
        if (i == 0 && rows->has_zone) {
            put_start(&w, q->at);
        } else {
            csv_put_missing(&w);
        }
        put_seconds(&w, q->at - rows->items[0].at);
        put_tokens(&w, q->prompt);
        put_tokens(&w, q->output);
        put_tokens(&w, q->cached);
        csv_end_row(&w);
    }
    return csv_writer_finish(&w);
}

const struct importer importer_requests = {
    .name = "requests",
    .summary = "traces of requests to language models, to a table of requests",
    .layouts = layout_names,
    .first_column = "start,time_s",
    .takes_columns = true,
    .read = read_requests,
    .write = write_requests,
    .release = release_requests,
};
