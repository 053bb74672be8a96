/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces of jobs on GPU clusters, in the formats of those who published them, to fleetcast's table
 * of jobs (models/jobs/job_file.h): when each was submitted, from the first one on, how long it
 * ran, on how many GPUs. Time in the queue of the traced cluster is left out: it is what the plan's
 * own queue is to say. */
#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "engine/csv_writer.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/importer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JOBS  1000000
#define LONGEST_US (INT64_C(10) * 366 * 86400 * 1000000)

/* Where a layout has what. Times: numbers of seconds, or instants. */
struct job_layout {
    const char *name;
    const char *columns[8]; /* name, submitted, started, ended, GPUs; NULL-terminated */
    bool numbers;           /* times are seconds from some beginning */
    bool local;             /* instants do not state their zone: only differences count */
};

enum { NAME, SUBMITTED, STARTED, ENDED, GPUS };

static const struct job_layout job_layouts[] = {
    {"alibaba-pods",
     {"name", "creation_time", "scheduled_time", "deletion_time", "num_gpu", NULL},
     true,
     false},
    {"acme", {"job_id", "submit_time", "start_time", "end_time", "gpu_num", NULL}, false, false},
    {"helios", {"job_id", "submit_time", "start_time", "end_time", "gpu_num", NULL}, false, true},
};

static const char *const job_layout_names[] = {"alibaba-pods", "acme", "helios", NULL};

struct traced_job {
    const char *name;
    int64_t submit_us;
    double duration_s;
    int64_t gpus;
    size_t row;
};

struct traced_jobs {
    struct traced_job *items;
    size_t count, capacity;
    size_t without_gpus, never_ran;
};

/* ---- reading ---- */

static bool read_time(const struct import_request *r, const struct csv_reader *csv,
                      const struct job_layout *l, size_t column, int64_t *us)
{
    const char *text = csv_text(csv, column);
    double seconds;
    char with_zone[72];
    bool ok;
    if (l->numbers) {
        ok = import_number(text, &seconds) && fabs(seconds) < (double)LONGEST_US / 1e6;
        *us = ok ? (int64_t)llround(seconds * 1e6) : 0;
    } else if (l->local) {
        ok = strlen(text) < 64;
        snprintf(with_zone, sizeof with_zone, "%.64sZ", text);
        ok = ok && import_instant(with_zone, us);
    } else {
        ok = import_instant(text, us);
    }
    if (!ok) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "column '%s' is '%.40s'; expected %s", l->columns[column], text,
                        l->numbers ? "a number of seconds"
                        : l->local ? "a time such as 2020-04-01 00:03:12"
                                   : "a time with its offset such as 2023-03-01 00:18:22+08:00");
    }
    return ok;
}

static bool is_absent(const struct csv_reader *csv, size_t column)
{
    const char *text = csv_text(csv, column);
    return text[0] == '\0' || strcmp(text, "None") == 0 || strcmp(text, "NaN") == 0 ||
           strcmp(text, "nan") == 0;
}

static bool append(const struct import_request *r, struct traced_jobs *jobs,
                   const struct traced_job *job, struct place where)
{
    if (jobs->count == MOST_JOBS) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "more than %d jobs; cut the file",
                        MOST_JOBS);
        return false;
    }
    if (jobs->count == jobs->capacity) {
        size_t capacity = jobs->capacity == 0 ? 1024 : 2 * jobs->capacity;
        struct traced_job *grown = realloc(jobs->items, capacity * sizeof *grown);
        if (grown == NULL) {
            diagnostics_add(r->d, DIAGNOSTIC_FAILURE, where, "out of memory");
            return false;
        }
        jobs->items = grown;
        jobs->capacity = capacity;
    }
    jobs->items[jobs->count] = *job;
    jobs->items[jobs->count].row = jobs->count;
    jobs->count++;
    return true;
}

/* False when reading cannot go on; what is wrong with the row is told. */
static bool read_job(const struct import_request *r, const struct csv_reader *csv,
                     const struct job_layout *l, struct traced_jobs *jobs)
{
    struct traced_job job = {0};
    int64_t start_us, end_us;
    double gpus = 0;
    if (!is_absent(csv, GPUS) && (!import_number(csv_text(csv, GPUS), &gpus) || gpus < 0 ||
                                  gpus > 1e5 || gpus > floor(gpus))) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "column '%s' is '%.40s'; expected a whole number of GPUs", l->columns[GPUS],
                        csv_text(csv, GPUS));
        return true;
    }
    if (gpus < 1) {
        jobs->without_gpus++;
        return true;
    }
    if (is_absent(csv, STARTED) || is_absent(csv, ENDED)) {
        jobs->never_ran++;
        return true;
    }
    if (!read_time(r, csv, l, SUBMITTED, &job.submit_us) ||
        !read_time(r, csv, l, STARTED, &start_us) || !read_time(r, csv, l, ENDED, &end_us)) {
        return true;
    }
    if (end_us < start_us) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv), "the job ends before it starts");
        return true;
    }
    job.gpus = (int64_t)gpus;
    job.duration_s = (double)(end_us - start_us) / 1e6;
    job.name = arena_copy(r->arena, csv_text(csv, NAME), strnlen(csv_text(csv, NAME), 64));
    return job.name != NULL && append(r, jobs, &job, csv_place(csv));
}

static bool read_file(const struct import_request *r, const char *path, const struct job_layout *l,
                      struct traced_jobs *jobs)
{
    enum { MOST_COMPLAINTS = 20 };
    struct csv_reader *csv = csv_open(path, NULL, l->columns, r->d);
    int more = csv == NULL ? -1 : 1;
    while (more > 0 && diagnostics_count(r->d, DIAGNOSTIC_ERROR) < MOST_COMPLAINTS) {
        more = csv_next(csv);
        if (more > 0 && !read_job(r, csv, l, jobs)) {
            more = -1;
        }
    }
    if (csv != NULL) {
        csv_close(csv);
    }
    return more == 0 && !diagnostics_failed(r->d);
}

static int by_submission(const void *left, const void *right)
{
    const struct traced_job *a = left, *b = right;
    if (a->submit_us != b->submit_us) {
        return a->submit_us < b->submit_us ? -1 : 1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

static bool check_options(const struct import_request *r)
{
    const struct {
        bool given;
        const char *option;
    } options[] = {{r->zone != NULL, "--zone"},         {r->instance != NULL, "--instance"},
                   {r->polarity != NULL, "--polarity"}, {r->product != NULL, "--product"},
                   {r->unit_s > 0, "--unit"},           {r->tick_s > 0, "--tick"},
                   {r->length_s > 0, "--length"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].given) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){0},
                            "option '%s' means nothing for 'jobs'", options[i].option);
        }
    }
    return !diagnostics_failed(r->d);
}

static void release_jobs(void *what)
{
    free(((struct traced_jobs *)what)->items);
}

static void say(const struct import_request *r, const struct traced_jobs *jobs)
{
    const struct traced_job *last = &jobs->items[jobs->count - 1];
    text_format(r->said, "%zu job%s over %.3g days\n", jobs->count,
                text_plural((double)jobs->count),
                (double)(last->submit_us - jobs->items[0].submit_us) / 86400e6);
    if (jobs->without_gpus > 0) {
        text_format(r->said, "left out: %zu without a GPU\n", jobs->without_gpus);
    }
    if (jobs->never_ran > 0) {
        text_format(r->said, "left out: %zu without a beginning or an end\n", jobs->never_ran);
    }
}

static void *read_jobs(const struct import_request *r)
{
    size_t layout = 0;
    while (layout + 1 < sizeof job_layouts / sizeof job_layouts[0] &&
           strcmp(job_layouts[layout].name, r->layout) != 0) {
        layout++;
    }
    struct traced_jobs *jobs = arena_alloc(r->arena, sizeof *jobs);
    bool ok = jobs != NULL && check_options(r);
    for (size_t i = 0; ok && i < r->file_count; i++) {
        ok = read_file(r, r->files[i], &job_layouts[layout], jobs);
    }
    if (ok && jobs->count == 0) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){r->files[0], 0, 0},
                        "no job that ran on a GPU is in this file");
        ok = false;
    }
    if (!ok) {
        free(jobs == NULL ? NULL : jobs->items);
        return NULL;
    }
    qsort(jobs->items, jobs->count, sizeof *jobs->items, by_submission);
    say(r, jobs);
    return jobs;
}

/* ---- writing ---- */

static bool write_jobs(const void *what, FILE *out)
{
    static const char *const columns[] = {"submitted", "duration_s", "gpus", "name"};
    const struct traced_jobs *jobs = what;
    struct csv_writer w;
    if (!csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        csv_put_text(&w, columns[i]);
    }
    csv_end_row(&w);
    for (size_t i = 0; i < jobs->count && w.error == 0; i++) {
        const struct traced_job *j = &jobs->items[i];
        char submitted[48];
        snprintf(submitted, sizeof submitted, "%.10gs",
                 (double)(j->submit_us - jobs->items[0].submit_us) / 1e6);
        csv_put_text(&w, submitted);
        csv_put_number(&w, j->duration_s);
        csv_put_integer(&w, j->gpus);
        csv_put_text(&w, j->name);
        csv_end_row(&w);
    }
    return csv_writer_finish(&w);
}

const struct importer importer_jobs = {
    .name = "jobs",
    .summary = "traces of jobs on GPU clusters, to a table of jobs for `kind: jobs`",
    .layouts = job_layout_names,
    .first_column = "submitted",
    .read = read_jobs,
    .write = write_jobs,
    .release = release_jobs,
};
