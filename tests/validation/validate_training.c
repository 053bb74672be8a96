/* SPDX-License-Identifier: GPL-3.0-or-later
 * The speed estimate against published measurements: `make validate DATA=FOLDER`, FOLDER with a
 * file validation/training.csv of the columns that tests/support/training_rows.h names. Every row
 * is predicted from its own inputs and the defaults, or listed with what it lacks. The roofline is
 * fitted again with each source left out in turn, so that what is predicted was never seen. */
#include "engine/double_sort.h"
#include "tests/support/published.h"
#include "tests/support/roofline_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS   4096
#define Z_90        1.6448536269514722 /* the normal quantile at 95 % */
#define MOST_GROUPS 256

struct judged {
    double error, unseen; /* ln(predicted / measured): fitted numbers; without its source */
    double sigma;
};

static struct {
    struct training_row rows[MOST_ROWS];
    struct judged judged[MOST_ROWS];
    size_t count, wanted, read;
} all;

/* ---- reading ---- */

static const char *refusal_text(enum speed_refusal refusal)
{
    static const char *const texts[] = {
        [SPEED_NO_CLASS] = "a class without measured rows",
        [SPEED_NO_FLOPS] = "no FLOPs per sample",
        [SPEED_NO_CHIP] = "an accelerator for which no estimate is made",
        [SPEED_NO_BANDWIDTH] = "no memory bandwidth of the accelerator",
        [SPEED_NO_PRECISION] = "a precision that the accelerator has no published peak for",
        [SPEED_UNMEASURED_PRECISION] = "a precision without measured rows",
        [SPEED_UNDIVIDED] = "accelerators that the parallel ways do not divide",
        [SPEED_BATCH_TOO_SMALL] = "fewer samples in a batch than accelerators",
    };
    return refusal == SPEED_POSSIBLE ? NULL : texts[refusal];
}

static void read_row(struct csv_reader *r, const struct catalogue *c)
{
    struct training_row *row = &all.rows[all.count];
    struct speed_estimate e;
    const char *reason = training_row_read(row, r, c);
    if (reason == NULL) {
        struct speed_setting s = row->setting;
        s.roofline = &roofline_fitted;
        s.accelerator = &row->chip;
        reason = refusal_text(speed_estimate_make(&e, &s));
    }
    all.read++;
    all.wanted += row->wanted;
    if (reason != NULL) {
        printf("  not predicted  %-6s %-16s %s\n", row->id, row->metric, reason);
        return;
    }
    all.count++;
}

static bool read_rows(const char *path, const struct catalogue *c, struct diagnostics *d)
{
    struct csv_reader *r = csv_open(path, path, training_columns, d);
    int got = r == NULL ? -1 : 1;
    while (got > 0 && all.count < MOST_ROWS) {
        got = csv_next(r);
        if (got > 0) {
            read_row(r, c);
        }
    }
    csv_close(r);
    return got >= 0;
}

/* ---- judging ---- */

static void judge_all(const struct roofline *fitted)
{
    struct speed_estimate e;
    const char *done[MOST_GROUPS];
    size_t groups = 0;
    for (size_t i = 0; i < all.count; i++) {
        all.judged[i].error = training_row_error(&all.rows[i], &roofline_fitted, &e);
        all.judged[i].sigma = e.sigma;
    }
    for (size_t i = 0; i < all.count; i++) {
        bool seen = false;
        for (size_t k = 0; k < groups; k++) {
            seen = seen || strcmp(done[k], all.rows[i].source) == 0;
        }
        if (seen || groups == MOST_GROUPS) {
            continue;
        }
        struct roofline r = *fitted;
        done[groups++] = all.rows[i].source;
        roofline_fit(&r, all.rows, all.count, all.rows[i].source, NULL);
        for (size_t k = i; k < all.count; k++) {
            if (strcmp(all.rows[k].source, all.rows[i].source) == 0) {
                all.judged[k].unseen = training_row_error(&all.rows[k], &r, &e);
            }
        }
    }
    printf("%zu sources, each left out once\n", groups);
}

struct summary {
    size_t n;
    double median, p90, unseen_median, unseen_p90, covered, unseen_covered, sd, spread;
};

static struct summary summarise(const size_t *which, size_t n)
{
    static double error[MOST_ROWS], unseen[MOST_ROWS], spread[MOST_ROWS], spare[MOST_ROWS];
    struct summary s = {.n = n};
    double inside = 0, unseen_inside = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const struct judged *j = &all.judged[which[i]];
        error[i] = fabs(expm1(j->error));
        unseen[i] = fabs(expm1(j->unseen));
        spread[i] = exp(2 * Z_90 * j->sigma);
        inside += fabs(j->error) <= Z_90 * j->sigma;
        unseen_inside += fabs(j->unseen) <= Z_90 * j->sigma;
        squares += j->error * j->error;
    }
    double_sort(error, spare, n);
    double_sort(unseen, spare, n);
    double_sort(spread, spare, n);
    s.median = quantile_of(error, n, 0.5);
    s.p90 = quantile_of(error, n, 0.9);
    s.unseen_median = quantile_of(unseen, n, 0.5);
    s.unseen_p90 = quantile_of(unseen, n, 0.9);
    s.spread = quantile_of(spread, n, 0.5);
    s.covered = inside / (double)n;
    s.unseen_covered = unseen_inside / (double)n;
    s.sd = sqrt(squares / (double)n);
    return s;
}

static void print_summary(const char *name, const struct summary *s)
{
    printf("%-34s %4zu  %5.1f %% %5.1f %%  %5.1f %% %5.1f %%  %5.1f %%  %5.2f  %5.2f\n", name, s->n,
           100 * s->median, 100 * s->p90, 100 * s->unseen_median, 100 * s->unseen_p90,
           100 * s->covered, s->spread, s->sd);
}

/* ---- groups of rows ---- */

static const char *class_of(const struct training_row *row)
{
    const enum precision p = row->setting.precision;
    const bool half = p == PRECISION_FP16 || p == PRECISION_BF16;
    switch (row->setting.model.class) {
    case MODEL_LLM:
        return row->setting.campaign ? "llm, whole campaign" : half ? "llm" : "llm, fp8";
    case MODEL_ENCODER:
        return row->setting.small_batch ? "encoder, fine-tuning"
               : half                   ? "encoder"
               : p == PRECISION_FP8     ? "encoder, fp8"
                                        : "encoder, fp32 or tf32";
    case MODEL_CNN:
        return half ? "cnn" : "cnn, fp32 or tf32";
    case MODEL_OTHER:
    case MODEL_CLASS_COUNT:
        break;
    }
    return "other";
}

static const char *group_of(const struct training_row *row, char *out, size_t size)
{
    snprintf(out, size, "%s, %s%s%s", class_of(row), row->chip.name,
             row->setting.campaign ? "" : ", ",
             row->setting.campaign ? "" : speed_stack_names[row->setting.stack]);
    return out;
}

static const char *class_name_of(const struct training_row *row, char *out, size_t size)
{
    snprintf(out, size, "%s", class_of(row));
    return out;
}

typedef const char *grouping(const struct training_row *row, char *out, size_t size);

static void print_groups(grouping *of)
{
    static bool shown[MOST_ROWS];
    static size_t which[MOST_ROWS];
    char name[128], other[128];
    memset(shown, 0, sizeof shown);
    for (size_t i = 0; i < all.count; i++) {
        size_t n = 0;
        if (shown[i]) {
            continue;
        }
        of(&all.rows[i], name, sizeof name);
        for (size_t k = i; k < all.count; k++) {
            if (strcmp(of(&all.rows[k], other, sizeof other), name) == 0) {
                which[n++] = k;
                shown[k] = true;
            }
        }
        const struct summary s = summarise(which, n);
        print_summary(name, &s);
    }
}

static void print_rows(void)
{
    printf("\nevery row: predicted over measured rate, with its source left out, and the 90 %% "
           "band\n");
    for (size_t i = 0; i < all.count; i++) {
        const struct training_row *row = &all.rows[i];
        const struct judged *j = &all.judged[i];
        const double band = exp(Z_90 * j->sigma);
        char name[128];
        printf("  %-6s %-34s %6.2f %6.2f   x/ %.2f %s\n", row->id, group_of(row, name, sizeof name),
               exp(j->error), exp(j->unseen), band,
               fabs(j->error) > Z_90 * j->sigma ? " outside" : "");
    }
}

static void print_fit(const struct roofline *fitted, const double se[FIT_NUMBERS])
{
    double shipped[FIT_NUMBERS], now[FIT_NUMBERS];
    roofline_fit_values(&roofline_fitted, shipped);
    roofline_fit_values(fitted, now);
    printf("\n%-18s %10s %10s %8s\n", "number", "shipped", "fit here", "se");
    for (int i = 0; i < FIT_NUMBERS; i++) {
        printf("%-18s %10.4g %10.4g %8.2g\n", roofline_fit_names[i], shipped[i], now[i],
               now[i] * se[i]);
    }
}

static void print_target(const char *what, double value, const char *unit, double low, double high)
{
    printf("  %-58s %7.1f%s  %s\n", what, value, unit,
           value >= low && value <= high ? "met" : "MISSED");
}

static void print_targets(void)
{
    static size_t which[MOST_ROWS];
    size_t n = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (all.rows[i].wanted) {
            which[n++] = i;
        }
    }
    if (n == 0) {
        return;
    }
    const struct summary s = summarise(which, n);
    printf("\nrows of throughput, train_throughput, iteration_time, gpu_hours, wall_time: %zu\n",
           all.wanted);
    print_target("predicted (at least 75 %)", 100 * (double)n / (double)all.wanted, " %", 75, 100);
    print_target("median absolute error (at most 10 %)", 100 * s.median, " %", 0, 10);
    print_target("the same with each source left out (at most 12 %)", 100 * s.unseen_median, " %",
                 0, 12);
    print_target("inside the 90 % band (85 to 95 %)", 100 * s.covered, " %", 85, 95);
    printf("  %-58s %7.1f %%\n", "the same with each source left out", 100 * s.unseen_covered);
    print_target("median P95/P5 of the band (at most 1.8)", s.spread, "  ", 0, 1.8);
}

static int validate(const char *path, const struct catalogue *c, struct diagnostics *d)
{
    double se[FIT_NUMBERS] = {0};
    struct roofline fitted = roofline_fitted;
    if (!read_rows(path, c, d)) {
        return 1;
    }
    printf("%zu rows, %zu predicted\n", all.read, all.count);
    if (all.count == 0) {
        return 1;
    }
    roofline_fit(&fitted, all.rows, all.count, NULL, se);
    judge_all(&fitted);
    print_rows();
    print_fit(&fitted, se);
    printf("\n%-34s %4s  %7s %7s  %7s %7s  %7s  %5s  %5s\n", "absolute error of the rate", "n",
           "median", "P90", "unseen", "P90", "in band", "95/5", "sd");
    print_groups(class_name_of);
    printf("\n");
    print_groups(group_of);
    print_targets();
    return 0;
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = argc > 1 ? argv[1] : "";
    snprintf(path, sizeof path, "%s/validation/training.csv", folder);
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-training skipped: give DATA=FOLDER, with "
               "FOLDER/validation/training.csv\n");
        return 0;
    }
    printf("validate-training: %s\n", path);
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = catalogue_load(NULL, NULL, 0, d);
    const int failed = c == NULL ? 1 : validate(path, c, d);
    diagnostics_write(d, stdout);
    catalogue_free(c);
    diagnostics_free(d);
    return failed;
}
