/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/job_file.h"

#include "engine/csv_reader.h"
#include "engine/text.h"
#include "models/fleet/moment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const needed[] = {"submitted", NULL};

#define LONGEST_S (100 * 365.25 * 86400)
#define MOST_WIDE 100000

struct job_columns {
    int duration, gpu_hours, name, nodes, gpus, priority; /* -1: not there */
};

struct job_reading {
    struct csv_reader *reader;
    struct job_columns columns;
    int64_t start_unix_s;
    struct arena *arena;
    struct diagnostics *d;
    struct job_row *rows;
    size_t count, capacity, most;
};

static bool refuse(const struct job_reading *r, const char *column, const char *text,
                   const char *expected)
{
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->reader),
                    "column '%s': '%.40s'; expected %s", column, text, expected);
    return false;
}

/* A number of at least 0 in a column that may be missing, or empty in this row: NaN then. */
static bool read_amount(const struct job_reading *r, int column, const char *name, double most,
                        double *out)
{
    const char *text = column < 0 ? "" : csv_raw(r->reader, column);
    char *end;
    *out = (double)NAN;
    if (text[0] == '\0') {
        return true;
    }
    errno = 0;
    double value = strtod(text, &end);
    if (*end != '\0' || errno != 0 || !(value >= 0) || value > most) {
        return refuse(r, name, text, "a number that is not negative and not enormous");
    }
    *out = value;
    return true;
}

static bool read_count(const struct job_reading *r, int column, const char *name, uint32_t *out)
{
    double value;
    if (!read_amount(r, column, name, MOST_WIDE, &value)) {
        return false;
    }
    if (!isnan(value) && (value < 1 || value > floor(value))) {
        return refuse(r, name, csv_raw(r->reader, column), "a whole number from 1 on");
    }
    *out = isnan(value) ? 0 : (uint32_t)value;
    return true;
}

static bool read_priority(const struct job_reading *r, int64_t *out)
{
    const char *text = r->columns.priority < 0 ? "" : csv_raw(r->reader, r->columns.priority);
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *out = value;
    return (*end == '\0' && errno == 0 && value >= -1000000000 && value <= 1000000000) ||
           refuse(r, "priority", text, "a whole number, the higher the sooner");
}

static bool read_row(struct job_reading *r, struct job_row *row)
{
    char message[256];
    double gpu_hours;
    const char *time = csv_text(r->reader, 0);
    *row = (struct job_row){0};
    if (!moment_parse(time, r->start_unix_s, &row->submit_s, message, sizeof message)) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->reader),
                        "column 'submitted': '%.40s': %s", time, message);
        return false;
    }
    if (row->submit_s < 0) {
        return refuse(r, "submitted", time, "a time that is not before the scenario's start");
    }
    if (!read_amount(r, r->columns.duration, "duration_s", LONGEST_S, &row->duration_s) ||
        !read_amount(r, r->columns.gpu_hours, "gpu_hours", 1e12, &gpu_hours) ||
        !read_count(r, r->columns.nodes, "nodes", &row->nodes) ||
        !read_count(r, r->columns.gpus, "gpus", &row->gpus) || !read_priority(r, &row->priority)) {
        return false;
    }
    row->gpu_s = gpu_hours * 3600;
    if (isnan(row->duration_s) == isnan(row->gpu_s)) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->reader),
                        "%s; expected one of 'duration_s' and 'gpu_hours' in each row",
                        isnan(row->gpu_s) ? "neither a duration nor GPU-hours"
                                          : "both a duration and GPU-hours");
        return false;
    }
    const char *name = r->columns.name < 0 ? "" : csv_raw(r->reader, r->columns.name);
    row->name = arena_copy(r->arena, name, strnlen(name, 64));
    return row->name != NULL;
}

static bool append(struct job_reading *r, const struct job_row *row)
{
    if (r->count == r->capacity) {
        size_t capacity = r->capacity == 0 ? 256 : 2 * r->capacity;
        struct job_row *grown = realloc(r->rows, capacity * sizeof *grown);
        if (grown == NULL) {
            diagnostics_add(r->d, DIAGNOSTIC_FAILURE, csv_place(r->reader), "out of memory");
            return false;
        }
        r->rows = grown;
        r->capacity = capacity;
    }
    r->rows[r->count] = *row;
    r->rows[r->count].row = r->count;
    r->count++;
    return true;
}

static bool read_rows(struct job_reading *r)
{
    enum { MOST_COMPLAINTS = 20 };
    int more, wrong = 0;
    while ((more = csv_next(r->reader)) > 0 && wrong < MOST_COMPLAINTS) {
        struct job_row row;
        if (!read_row(r, &row)) {
            wrong++;
        } else if (r->count == r->most) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->reader),
                            "more than %zu jobs; cut the file", r->most);
            return false;
        } else if (!append(r, &row)) {
            return false;
        }
    }
    if (more == 0 && wrong == 0 && r->count == 0) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->reader),
                        "no rows; expected a job in each");
    }
    return more == 0 && wrong == 0 && r->count > 0;
}

/* By submission; equal ones keep their order. */
static int compare(const void *left, const void *right)
{
    const struct job_row *a = left, *b = right;
    if (a->submit_s < b->submit_s || a->submit_s > b->submit_s) {
        return a->submit_s < b->submit_s ? -1 : 1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

static void find_columns(struct job_reading *r)
{
    r->columns = (struct job_columns){.duration = csv_find_column(r->reader, "duration_s"),
                                      .gpu_hours = csv_find_column(r->reader, "gpu_hours"),
                                      .name = csv_find_column(r->reader, "name"),
                                      .nodes = csv_find_column(r->reader, "nodes"),
                                      .gpus = csv_find_column(r->reader, "gpus"),
                                      .priority = csv_find_column(r->reader, "priority")};
}

bool job_file_read(struct job_rows *rows, const char *path, const char *shown, int64_t start_unix_s,
                   size_t most, struct arena *a, struct diagnostics *d)
{
    struct job_reading r = {.start_unix_s = start_unix_s, .arena = a, .d = d, .most = most};
    *rows = (struct job_rows){0};
    r.reader = csv_open(path, shown, needed, d);
    if (r.reader == NULL) {
        return false;
    }
    find_columns(&r);
    bool good = read_rows(&r);
    struct job_row *kept = good ? arena_array(a, r.count, sizeof *kept) : NULL;
    if (kept != NULL) {
        qsort(r.rows, r.count, sizeof *r.rows, compare);
        memcpy(kept, r.rows, r.count * sizeof *kept);
        *rows = (struct job_rows){kept, r.count};
    } else if (good) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){shown, 0, 0}, "out of memory");
    }
    free(r.rows);
    csv_close(r.reader);
    return rows->count > 0;
}
