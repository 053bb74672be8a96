/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long a batch takes on networks that answer in one pass: `make validate DATA=FOLDER`, FOLDER
 * with a file validation/inference.csv. Every series of three or more batches of one source, model,
 * accelerator and precision is fitted by the quadrature law that services offer and by the usual
 * line, also with each point left out in turn; and the throughput under a bound of latency
 * (MLPerf's Server) stands beside that without one (Offline). */
#include "engine/csv_reader.h"
#include "engine/double_sort.h"
#include "tests/support/latency_law.h"
#include "tests/support/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS    4096
#define LEAST_POINTS 3

enum {
    COLUMN_ID,
    COLUMN_MODEL,
    COLUMN_GPU,
    COLUMN_COUNT,
    COLUMN_PRECISION,
    COLUMN_SCENARIO,
    COLUMN_BATCH,
    COLUMN_INPUT,
    COLUMN_VALUE,
    COLUMN_UNIT,
    COLUMN_SOURCE
};
static const char *const columns[] = {"id",        "model",    "gpu_model",     "gpu_count",
                                      "precision", "scenario", "batch_or_conc", "input_len",
                                      "value",     "unit",     "source",        NULL};

enum row_use { ROW_BATCH, ROW_OFFLINE, ROW_SERVER };
struct batch_row {
    char id[64], series[512];
    enum row_use use;
    double batch, per_s;
};

static struct {
    struct batch_row rows[MOST_ROWS];
    size_t count;
} all;

/* ---- reading ---- */

static double number_in(const struct csv_reader *r, size_t column)
{
    char *end;
    const char *text = csv_text(r, column);
    const double value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(value) ? value : 0;
}

/* NULL: taken. Samples, images or sequences a second; not tokens. */
static const char *read_row(struct batch_row *row, const struct csv_reader *r)
{
    const char *unit = csv_text(r, COLUMN_UNIT), *scenario = csv_text(r, COLUMN_SCENARIO);
    *row = (struct batch_row){.batch = number_in(r, COLUMN_BATCH),
                              .per_s = number_in(r, COLUMN_VALUE)};
    snprintf(row->id, sizeof row->id, "%s", csv_text(r, COLUMN_ID));
    snprintf(row->series, sizeof row->series, "%s, %s x %s, %s%s%s, %s", csv_text(r, COLUMN_MODEL),
             csv_text(r, COLUMN_COUNT), csv_text(r, COLUMN_GPU), csv_text(r, COLUMN_PRECISION),
             csv_text(r, COLUMN_INPUT)[0] != '\0' ? ", " : "", csv_text(r, COLUMN_INPUT),
             csv_text(r, COLUMN_SOURCE));
    if (strcmp(unit, "samples/s") != 0 && strcmp(unit, "img/s") != 0 &&
        strcmp(unit, "seq/s") != 0) {
        return strcmp(unit, "ms") == 0 && strcasecmp(scenario, "SingleStream") == 0
                   ? "one sample at a time: no series"
                   : "";
    }
    if (strcasecmp(scenario, "Offline") == 0 || strcasecmp(scenario, "Server") == 0) {
        row->use = strcasecmp(scenario, "Offline") == 0 ? ROW_OFFLINE : ROW_SERVER;
    } else if (!(row->batch >= 1)) {
        return "no batch";
    }
    return row->per_s > 0 ? NULL : "no value";
}

static bool read_rows(const char *path, struct diagnostics *d)
{
    struct csv_reader *r = csv_open(path, path, columns, d);
    int got = r == NULL ? -1 : 1;
    while (got > 0 && all.count < MOST_ROWS) {
        got = csv_next(r);
        if (got > 0) {
            const char *reason = read_row(&all.rows[all.count], r);
            if (reason != NULL && reason[0] != '\0') {
                printf("  not used  %-6s %s\n", all.rows[all.count].id, reason);
            }
            all.count += reason == NULL;
        }
    }
    csv_close(r);
    return got >= 0;
}

/* ---- series of batches ---- */

struct errors {
    double of[MOST_ROWS];
    size_t count;
};

static void add_errors(struct errors *e, const struct latency_law *law, const double *batch,
                       const double *time_s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        e->of[e->count++] = fabs(latency_law_s(law, batch[i]) / time_s[i] - 1);
    }
}

/* Each point from a fit to the others, where two are left at least. */
static void add_unseen(struct errors *e, enum latency_form form, const double *batch,
                       const double *time_s, size_t n)
{
    static double other_batch[MOST_ROWS], other_time_s[MOST_ROWS];
    for (size_t out = 0; out < n; out++) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            if (i != out) {
                other_batch[kept] = batch[i];
                other_time_s[kept++] = time_s[i];
            }
        }
        const struct latency_law law = latency_law_fit(form, other_batch, other_time_s, kept);
        add_errors(e, &law, &batch[out], &time_s[out], 1);
    }
}

static void print_errors(const char *name, struct errors *e)
{
    static double spare[MOST_ROWS];
    double sum = 0;
    double_sort(e->of, spare, e->count);
    for (size_t i = 0; i < e->count; i++) {
        sum += e->of[i];
    }
    if (e->count > 0) {
        printf("  %-38s %3zu  %5.1f %% %5.1f %% %5.1f %%\n", name, e->count,
               100 * quantile_of(e->of, e->count, 0.5), 100 * sum / (double)e->count,
               100 * e->of[e->count - 1]);
    }
}

/* The points of the series that row `first` begins; 0: an earlier row began it. */
static size_t points_of(size_t first, double *batch, double *time_s)
{
    size_t n = 0;
    for (size_t i = 0; i < all.count; i++) {
        const struct batch_row *row = &all.rows[i];
        if (row->use != ROW_BATCH || strcmp(row->series, all.rows[first].series) != 0) {
            continue;
        }
        if (i < first) {
            return 0;
        }
        batch[n] = row->batch;
        time_s[n++] = row->batch / row->per_s;
    }
    return n;
}

static void print_series(void)
{
    static struct errors fitted[2], unseen[2];
    static double batch[MOST_ROWS], time_s[MOST_ROWS];
    size_t series = 0;
    printf("\nseries of batches: points, t_0 and c of sqrt(t_0^2 + (c b)^2), of t_0 + c b (ms)\n");
    for (size_t i = 0; i < all.count; i++) {
        const size_t n = all.rows[i].use == ROW_BATCH ? points_of(i, batch, time_s) : 0;
        if (n < LEAST_POINTS) {
            if (n > 0) {
                printf("  %-100s %zu, too few\n", all.rows[i].series, n);
            }
            continue;
        }
        series++;
        printf("  %-100s %zu", all.rows[i].series, n);
        for (int form = LATENCY_QUADRATURE; form <= LATENCY_LINEAR; form++) {
            const struct latency_law law =
                latency_law_fit((enum latency_form)form, batch, time_s, n);
            printf("  %6.2f %6.4f", 1e3 * law.start_s, 1e3 * law.sample_s);
            add_errors(&fitted[form], &law, batch, time_s, n);
            add_unseen(&unseen[form], (enum latency_form)form, batch, time_s, n);
        }
        printf("\n");
    }
    printf("  %zu series\n\n  %-38s %3s  %7s %7s %7s\n", series, "absolute error of the time", "n",
           "median", "mean", "worst");
    print_errors("quadrature, fitted", &fitted[LATENCY_QUADRATURE]);
    print_errors("line, fitted", &fitted[LATENCY_LINEAR]);
    print_errors("quadrature, the point left out", &unseen[LATENCY_QUADRATURE]);
    print_errors("line, the point left out", &unseen[LATENCY_LINEAR]);
}

/* ---- with and without a bound of latency ---- */

static void print_shares(void)
{
    static double share[MOST_ROWS], spare[MOST_ROWS];
    size_t n = 0;
    printf("\nthroughput under a bound of the 99 %% latency over that without one (Server over "
           "Offline)\n");
    for (size_t i = 0; i < all.count; i++) {
        for (size_t k = 0; k < all.count && n < MOST_ROWS; k++) {
            const struct batch_row *server = &all.rows[i], *offline = &all.rows[k];
            if (server->use == ROW_SERVER && offline->use == ROW_OFFLINE &&
                strcmp(server->series, offline->series) == 0) {
                share[n++] = server->per_s / offline->per_s;
                printf("  %-6s %-6s %-90s %.2f\n", server->id, offline->id, server->series,
                       share[n - 1]);
            }
        }
    }
    if (n > 0) {
        double_sort(share, spare, n);
        printf("  %zu pairs: %.2f to %.2f, median %.2f (planning: 0.85)\n", n, share[0],
               share[n - 1], quantile_of(share, n, 0.5));
    }
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = argc > 1 ? argv[1] : "";
    snprintf(path, sizeof path, "%s/validation/inference.csv", folder);
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-batch-latency skipped: give DATA=FOLDER, with "
               "FOLDER/validation/inference.csv\n");
        return 0;
    }
    printf("validate-batch-latency: %s\n", path);
    struct diagnostics *d = diagnostics_new();
    const bool read = read_rows(path, d);
    if (read && all.count > 0) {
        print_series();
        print_shares();
    } else if (read) {
        printf("no rows of batches\n");
    }
    diagnostics_write(d, stdout);
    diagnostics_free(d);
    return !read;
}
