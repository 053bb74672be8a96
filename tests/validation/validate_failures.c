/* SPDX-License-Identifier: GPL-3.0-or-later
 * Published failures of large runs: `make validate DATA=FOLDER`, FOLDER with a file
 * validation/failures.csv of the columns system, gpu_model, gpus, nodes, window_days, metric, value
 * and unit. A row that says how often nodes failed, and of how many, is
 *
 *     compared with the published rate that the program assumes for its generation: does the 90 %
 *     interval hold it; and
 *     simulated, when its window is known: a gang of so many nodes with that rate must stop as
 * often as the run did, and spend more than 90 % of its time on useful work, with spares and
 *     checkpoints as described in docs/models.md, "Reliability".
 *
 * The other rows are counted. The exit code is 1 when a simulated rate is off by more than four
 * standard errors, or a run of a thousand nodes and more spends less on useful work. */
#include "engine/csv_reader.h"
#include "engine/gsl_errors.h"
#include "models/training/failure_rates.h"
#include "tests/support/studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define Z 4.0
/* What a row of another meaning would be beyond. */
#define LEAST_RATE 0.01
#define MOST_RATE  1e4
#define MOST_NODES 20000
#define MOST_DAYS  1000

enum { SYSTEM, GPU_MODEL, GPUS, NODES, WINDOW, METRIC, VALUE, UNIT };
static const char *const columns[] = {"system", "gpu_model", "gpus", "nodes", "window_days",
                                      "metric", "value",     "unit", NULL};

struct row {
    char system[128], gpu[64], metric[64];
    double gpus, nodes, window_days;
    double per_1000_days; /* of a node */
};

static double number_of(const char *text)
{
    char *end;
    double v = strtod(text, &end);
    return end == text ? (double)NAN : v;
}

/* Failures by 1,000 days of a node, in whichever way the row counts them; NaN: it does not. */
static double rate_of(const char *metric, const char *unit, double v, const struct row *r)
{
    double node_days = r->nodes * r->window_days;
    if (strcmp(metric, "unexpected_interruptions") == 0) {
        return 1000 * v / node_days;
    }
    if (strcmp(metric, "node_failure_rate") == 0 && strstr(unit, "1000 node-days") != NULL) {
        return v;
    }
    if (strcmp(metric, "machines_down_per_day") == 0) {
        return 1000 * v / r->nodes;
    }
    if (strcmp(metric, "hardware_failure_interval") == 0 && strncmp(unit, "days", 4) == 0) {
        return 1000 / (v * r->nodes);
    }
    return (double)NAN;
}

static bool read_row(struct csv_reader *r, struct row *row)
{
    snprintf(row->system, sizeof row->system, "%s", csv_text(r, SYSTEM));
    snprintf(row->gpu, sizeof row->gpu, "%s", csv_text(r, GPU_MODEL));
    snprintf(row->metric, sizeof row->metric, "%s", csv_text(r, METRIC));
    row->gpus = number_of(csv_text(r, GPUS));
    row->nodes = number_of(csv_text(r, NODES));
    row->window_days = number_of(csv_text(r, WINDOW));
    row->per_1000_days =
        rate_of(row->metric, csv_text(r, UNIT), number_of(csv_text(r, VALUE)), row);
    return row->per_1000_days >= LEAST_RATE && row->per_1000_days <= MOST_RATE && row->nodes >= 2 &&
           row->nodes <= MOST_NODES && row->gpus > 0 && isfinite(row->gpus);
}

/* The instance of eight of this accelerator. */
static const char *instance_of(const char *gpu)
{
    static const char *const instances[][2] = {{"H100", "p5.48xlarge"},
                                               {"H200", "p5en.48xlarge"},
                                               {"A100", "p4de.24xlarge"},
                                               {"B200", "p6-b200.48xlarge"},
                                               {"V100", "p3.16xlarge"}};
    for (size_t i = 0; i < sizeof instances / sizeof instances[0]; i++) {
        if (strncmp(gpu, instances[i][0], 4) == 0) {
            return instances[i][1];
        }
    }
    return NULL;
}

/* ---- the rate assumed ---- */

struct tally {
    size_t rows, inside, others;
    bool failed;
};

static void compare_rate(const struct row *row, const struct catalogue *c, struct tally *t)
{
    const char *instance = instance_of(row->gpu);
    const struct instance_type *type = instance == NULL ? NULL : catalogue_type(c, instance);
    if (type == NULL) {
        t->others++;
        return;
    }
    const struct failure_rate *rate = failure_rate_of(type);
    double per_node = rate->per_1000_days * (1 - 268.0 / 419 * (1 - row->gpus / row->nodes / 8));
    double spread = exp(1.6448536269514722 * rate->log_sd);
    bool inside =
        row->per_1000_days >= per_node / spread && row->per_1000_days <= per_node * spread;
    t->rows++;
    t->inside += inside;
    printf("  %-24s %5.0f nodes %-10s %6.2f published, %5.2f (%.2f to %.1f) assumed%s\n",
           row->system, row->nodes, row->gpu, row->per_1000_days, per_node, per_node / spread,
           per_node * spread, inside ? "" : "  OUTSIDE");
}

/* ---- the run, simulated ---- */

static const char scenario[] =
    "version: 1\nstart: 2026-01-01\nregion: us-east-1\nhorizon: %.0fd\nreplications: 20\n"
    "workloads:\n  run:\n    kind: training\n    hours: %.0fd\n    boot: 5min\n"
    "    failures: {mtbf: %.17gs, young: 1, detect: 1min}\n"
    "    response: {auto: 5min, human: 4h, p_human: 0.7 %%}\n    restart_time: 3min\n"
    "    checkpoint: {every: auto, write: 5s, restore: 1min}\n"
    "strategies:\n"
    "  it: {instance: %s, nodes: %.0f, spares: %.0f, buy: on-demand}\n";

static void simulate(const struct row *row, struct tally *t)
{
    const char *instance = instance_of(row->gpu);
    if (instance == NULL || !(row->window_days >= 1 && row->window_days <= MOST_DAYS)) {
        return;
    }
    char text[1024];
    double spares = ceil(row->nodes / 128), mtbf_s = 1000 * 86400 / row->per_1000_days;
    snprintf(text, sizeof text, scenario, row->window_days, 2 * row->window_days, mtbf_s, instance,
             row->nodes, spares);
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 2);
    double failures = run_mean(&run, 0, METRIC_FAILURES).mean * run.results.replications;
    double losses = run_mean(&run, 0, METRIC_LOSSES).mean;
    double effective = run_mean(&run, 0, METRIC_EFFECTIVE_TIME).mean;
    double expected = run.results.replications * row->window_days * (row->nodes + spares) *
                      row->per_1000_days / 1000;
    bool off = fabs(failures - expected) > Z * sqrt(expected);
    bool wasted = row->nodes >= 1000 && effective <= 0.9;
    t->failed = t->failed || off || wasted;
    printf(
        "  %-24s %5.0f nodes %5.0f days: a loss every %.2f h (published: a failure every %.2f h); "
        "%.1f %% effective%s%s\n",
        row->system, row->nodes, row->window_days, row->window_days * 24 / losses,
        1000 * 24 / (row->per_1000_days * row->nodes), 100 * effective, off ? "  OFF" : "",
        wasted ? "  TOO LITTLE" : "");
    run_release(&run);
    study_free(s);
}

/* ---- all rows ---- */

static struct tally judge(struct csv_reader *r, const struct catalogue *c)
{
    struct tally t = {0};
    struct row row;
    while (csv_next(r) > 0) {
        if (!read_row(r, &row)) {
            t.others++;
            continue;
        }
        compare_rate(&row, c, &t);
        simulate(&row, &t);
    }
    return t;
}

static int validate(const char *path, const struct catalogue *c, struct diagnostics *d)
{
    struct csv_reader *r = csv_open(path, path, columns, d);
    if (r == NULL) {
        return 1;
    }
    struct tally t = judge(r, c);
    csv_close(r);
    printf("%zu rates, %zu inside the 90 %% interval that is assumed; %zu other rows\n", t.rows,
           t.inside, t.others);
    return t.failed || diagnostics_failed(d);
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = argc > 1 ? argv[1] : "";
    gsl_errors_install();
    snprintf(path, sizeof path, "%s/validation/failures.csv", folder);
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-failures skipped: give DATA=FOLDER, with "
               "FOLDER/validation/failures.csv\n");
        return 0;
    }
    printf("validate-failures: %s\n", path);
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = catalogue_load(NULL, NULL, 0, d);
    const int failed = c == NULL ? 1 : validate(path, c, d);
    diagnostics_write(d, stdout);
    catalogue_free(c);
    diagnostics_free(d);
    return failed;
}
