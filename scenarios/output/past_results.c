/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/past_results.h"

#include "engine/csv_reader.h"
#include "engine/file.h"
#include "scenarios/study/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRATEGY, WORKLOAD, REPLICATION, FIRST_METRIC };

struct past_reading {
    struct results *results;
    const struct manifest *m;
    struct diagnostics *d;
    const char *path;
    /* Columns asked for: the first three, then those metrics that the file has. */
    const char *names[FIRST_METRIC + METRIC_COUNT + 1];
    enum metric metrics[METRIC_COUNT]; /* by column behind the first three */
    size_t metric_count;
    unsigned char *seen; /* [replication][strategy][workload + all] */
};

static void complain(const struct past_reading *r, struct place where, const char *what)
{
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "%s", what);
}

/* ---- columns ---- */

static bool find_columns(struct past_reading *r, struct arena *a)
{
    static const char *const first[] = {"strategy", "workload", "replication", NULL};
    struct csv_reader *csv = csv_open(r->path, NULL, first, r->d);
    if (csv == NULL) {
        return false;
    }
    memcpy(r->names, first, FIRST_METRIC * sizeof *first);
    bool ok = true;
    for (int m = 0; ok && m < METRIC_COUNT; m++) {
        char column[64];
        if (csv_find_column(csv, metric_column((enum metric)m, r->m->currency, column)) >= 0) {
            r->metrics[r->metric_count] = (enum metric)m;
            r->names[FIRST_METRIC + r->metric_count++] = arena_string(a, column);
            ok = r->names[FIRST_METRIC + r->metric_count - 1] != NULL;
        }
    }
    csv_close(csv);
    if (!ok) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
    return ok;
}

/* ---- rows ---- */

static bool find_row(const struct past_reading *r, struct csv_reader *csv, size_t *row)
{
    const struct results *to = r->results;
    const char *strategy = csv_text(csv, STRATEGY), *workload = csv_text(csv, WORKLOAD);
    int64_t replication;
    size_t k = 0, w = 0;
    while (k < to->strategies && strcmp(strategy, r->m->strategies[k]) != 0) {
        k++;
    }
    while (w < to->workloads && strcmp(workload, r->m->workloads[w].workload) != 0) {
        w++;
    }
    if (!csv_int64(csv, REPLICATION, &replication)) {
        return false;
    }
    if (k == to->strategies || (w == to->workloads && strcmp(workload, STUDY_ALL) != 0)) {
        complain(r, csv_place(csv),
                 "a strategy or workload that manifest.json does not name; expected the files of "
                 "one run");
        return false;
    }
    if (replication < 0 || replication >= (int64_t)to->capacity) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "replication %" PRId64 "; expected less than %" PRIu32
                        ", which is how many manifest.json tells of",
                        replication, to->capacity);
        return false;
    }
    *row = ((size_t)replication * to->strategies + k) * (to->workloads + 1) + w;
    if (r->seen[*row]) {
        complain(r, csv_place(csv), "this strategy, workload and replication a second time");
        return false;
    }
    r->seen[*row] = 1;
    return true;
}

static bool read_metric(struct csv_reader *csv, size_t column, enum metric m,
                        union metric_value *to)
{
    const bool is_money = metric_table[m].kind == METRIC_MONEY;
    if (!csv_missing(csv, column)) {
        return is_money ? csv_money(csv, column, &to->money) : csv_double(csv, column, &to->number);
    }
    if (!is_money) {
        to->number = (double)NAN;
    }
    return true;
}

/* Of what the file does not have. */
static void leave_empty(struct metric_cells *c)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (metric_table[m].kind != METRIC_MONEY) {
            c->value[m].number = (double)NAN;
        }
    }
}

static bool read_rows(struct past_reading *r, struct csv_reader *csv)
{
    size_t rows = 0, row;
    bool ok = true;
    int got = 0;
    while (ok && (got = csv_next(csv)) == 1) {
        if (!find_row(r, csv, &row)) {
            return false;
        }
        struct metric_cells *c = &r->results->cells[row];
        leave_empty(c);
        for (size_t i = 0; ok && i < r->metric_count; i++) {
            ok = read_metric(csv, FIRST_METRIC + i, r->metrics[i], &c->value[r->metrics[i]]);
        }
        rows++;
    }
    const size_t expected =
        (size_t)r->results->capacity * r->results->strategies * (r->results->workloads + 1);
    if (ok && got == 0 && rows != expected) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){.file = r->path},
                        "%zu rows; expected %zu, one for each strategy, workload and replication",
                        rows, expected);
        return false;
    }
    return ok && got == 0;
}

/* ---- the file ---- */

static bool make_room(struct past_reading *r)
{
    const struct manifest *m = r->m;
    const double rows =
        (double)m->replications * (double)m->strategy_count * (double)(m->workload_count + 1);
    if (rows * (double)sizeof(struct metric_cells) > RESULTS_MAX_BYTES) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){.file = r->path},
                        "%.3g rows need more than the %.0f GB that results may take; expected a "
                        "run with fewer replications",
                        rows, RESULTS_MAX_BYTES / 1e9);
        return false;
    }
    r->seen = calloc((size_t)rows + 1, 1);
    if (r->seen == NULL || !results_init(r->results, m->strategy_count, m->workload_count, 0, 0,
                                         (uint32_t)m->replications)) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "out of memory for the results");
        return false;
    }
    return true;
}

bool past_results_read(struct results *to, bool has[METRIC_COUNT], struct arena *a,
                       const char *folder, const struct manifest *m, struct diagnostics *d)
{
    struct past_reading *r = arena_alloc(a, sizeof *r);
    *to = (struct results){0};
    const char *path = r == NULL ? NULL : file_join(a, folder, "replications.csv");
    if (path == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    *r = (struct past_reading){.results = to, .m = m, .d = d, .path = path};
    bool ok = make_room(r) && find_columns(r, a);
    struct csv_reader *csv = ok ? csv_open(path, NULL, r->names, d) : NULL;
    ok = csv != NULL && read_rows(r, csv);
    csv_close(csv);
    free(r->seen);
    for (int i = 0; i < METRIC_COUNT; i++) {
        has[i] = false;
    }
    for (size_t i = 0; i < r->metric_count; i++) {
        has[r->metrics[i]] = true;
    }
    to->replications = ok ? to->capacity : 0;
    return ok;
}
