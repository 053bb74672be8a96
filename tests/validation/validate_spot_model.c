/* SPDX-License-Identifier: GPL-3.0-or-later
 * The spot model against observed series: `make validate-spot SERIES=FOLDER`, a folder of tick
 * traces. For every series of a GPU or CPU pool with availability above 0.3 (and below 1), the
 * model that is given nothing but this availability says between which bounds the 90th percentile
 * of a 48 h job lies in 8 of 10 windows of that length; at least 90 % of the series' own must lie
 * inside. Exit code 1 when fewer do. */
#include "models/market/spot_fit.h"
#include "models/market/trace_builder.h"
#include "scenarios/import/availability_layouts.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_AVAILABILITY 0.3
#define LEAST_SHARE        0.9
#define HOUR_S             3600.0

static struct {
    char *paths[1000];
    size_t count;
} found;

static int visit(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)where;
    size_t length = strlen(path);
    if (kind == FTW_F && length > 5 && strcmp(path + length - 5, ".json") == 0 &&
        found.count < sizeof found.paths / sizeof found.paths[0]) {
        found.paths[found.count++] = strdup(path);
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* 1: inside, 0: outside, -1: not a series to be judged. */
static int judge(const char *path, struct diagnostics *d)
{
    struct arena *arena = arena_new(0);
    struct trace_builder *b = trace_builder_new(arena);
    const struct import_request request = {.arena = arena, .d = d};
    struct trace_set set;
    struct spot_fit fit;
    struct spot_fit_quality q;
    int verdict = -1;
    if (availability_read_ticks(&request, path, b) &&
        trace_builder_finish(b, &set, NULL) == TRACE_BUILT &&
        spot_fit_make(&fit, &set.items[0]) == SPOT_FIT_DONE &&
        fit.availability > LEAST_AVAILABILITY && spot_fit_judge(&fit, &set.items[0], false, &q) &&
        q.status == RING_FINISHED) {
        verdict = q.inside;
        printf("%-8s P90 %6.1f h, model %6.1f h (%6.1f to %6.1f), availability %.3f  %s\n",
               q.inside ? "inside" : "OUTSIDE", q.trace.p90_s / HOUR_S, q.p90_s / HOUR_S,
               q.p90_low_s / HOUR_S, q.p90_high_s / HOUR_S, fit.availability, path);
    }
    trace_builder_free(b);
    arena_free(arena);
    return verdict;
}

int main(int argc, char **argv)
{
    if (argc != 2 || nftw(argv[1], visit, 16, FTW_PHYS) != 0) {
        fprintf(stderr, "usage: %s TRACES\n", argv[0]);
        return 2;
    }
    qsort(found.paths, found.count, sizeof *found.paths, by_name);
    size_t judged = 0, inside = 0;
    for (size_t i = 0; i < found.count; i++) {
        struct diagnostics *d = diagnostics_new();
        /* The model speaks of AWS's pools. */
        int verdict = strstr(found.paths[i], "gcp") != NULL ? -1 : judge(found.paths[i], d);
        diagnostics_write(d, stderr);
        diagnostics_free(d);
        judged += verdict >= 0;
        inside += verdict > 0;
        free(found.paths[i]);
    }
    printf("%zu of %zu series inside the band (%.0f %%; at least %.0f %% wanted)\n", inside, judged,
           judged > 0 ? 100.0 * (double)inside / (double)judged : 0, 100 * LEAST_SHARE);
    return judged == 0 || (double)inside < LEAST_SHARE * (double)judged;
}
