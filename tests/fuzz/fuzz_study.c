/* SPDX-License-Identifier: GPL-3.0-or-later
 * libFuzzer over the whole path of a scenario: read, resolved against the catalogue, and every
 * strategy simulated and rated in one world. Input and build are those of fuzz_scenario.c; a
 * catalogue of a few types (FLEETCAST_CATALOGUE) makes it many times as fast. What is accepted must
 * end in a world whose every number is finite and not below zero, or in a sentence.
 *
 *     FLEETCAST_CATALOGUE=... build/fuzz/study -timeout=30 -rss_limit_mb=4000 \
 *         -max_total_time=300 -dict=tests/fuzz/scenario.dict build/fuzz/corpus
 */
#include "engine/file.h"
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_FILES = 2, MOST_SETS = 8, DIVIDER = 1, MOST_STRATEGIES = 8 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

/* The bytes as a file that has a path. */
static int make_file(const uint8_t *data, size_t size, char path[32])
{
    int fd = memfd_create("scenario", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

static void check_cells(const struct metric_cells *cells)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        double v = metric_number(cells, (enum metric)m);
        if (isinf(v) || v < 0)
            abort();
    }
    for (int p = 0; p < PURCHASE_COUNT; p++)
        for (int a = 0; a < ACTIVITY_COUNT; a++)
            if (cells->line[p][a] < 0 || !(cells->node_h[p][a] >= 0))
                abort();
}

static void check_usage(const struct usage_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        int64_t sum = 0;
        if (u->start_us < 0 || u->end_us < u->start_us)
            abort();
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            if (u->activity_us[a] < 0)
                abort();
            sum += u->activity_us[a];
        }
        if (sum != u->end_us - u->start_us)
            abort();
    }
}

static void simulate(const struct study *study)
{
    struct simulation *s = simulation_new(study);
    struct metric_cells *cells = calloc(study->workload_count + 1, sizeof *cells);
    struct simulation_outputs out = {.cells = cells};
    bool begun;

    if (s == NULL || cells == NULL)
        abort();
    begun = simulation_begin_world(s, 0);
    if (!begun && simulation_error(s)[0] == '\0')
        abort();
    for (size_t k = 0; begun && k < study->strategy_count && k < MOST_STRATEGIES; k++) {
        if (!simulation_run_strategy(s, k, &out)) {
            if (simulation_error(s)[0] == '\0')
                abort();
            continue;
        }
        for (size_t w = 0; w <= study->workload_count; w++)
            check_cells(&cells[w]);
        check_usage(simulation_usage(s));
    }
    free(cells);
    simulation_free(s);
}

static void read_and_run(const struct scenario_request *request, struct diagnostics *d)
{
    struct catalogue *catalogue = catalogue_load(NULL, NULL, 0, d);
    struct scenario_request r = *request;
    struct scenario *scenario;
    struct study *study;

    if (catalogue == NULL)
        abort();
    r.context = catalogue;
    scenario = scenario_read(&r, d);
    if (scenario == NULL) {
        catalogue_free(catalogue);
        return;
    }
    study = study_new(scenario, catalogue, d);
    if ((study == NULL) != diagnostics_failed(d))
        abort();
    if (study != NULL)
        simulate(study);
    study_free(study);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    gsl_errors_install();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char names[MOST_FILES][32];
    const char *paths[MOST_FILES];
    char *sets[MOST_SETS];
    int files[MOST_FILES];
    struct scenario_request request = {
        .paths = paths, .sets = (const char *const *)sets, .currency_of = currency_of};
    struct diagnostics *d = diagnostics_new();

    while (request.path_count + request.set_count < MOST_FILES + MOST_SETS) {
        const uint8_t *end = memchr(data, DIVIDER, size);
        size_t length = end == NULL ? size : (size_t)(end - data);
        size_t i = request.path_count;
        if (i < MOST_FILES) {
            files[i] = make_file(data, length, names[i]);
            paths[i] = names[i];
            request.path_count++;
        } else {
            sets[request.set_count++] = strndup((const char *)data, length);
        }
        if (end == NULL)
            break;
        size -= length + 1;
        data = end + 1;
    }
    read_and_run(&request, d);
    diagnostics_free(d);
    for (size_t i = 0; i < request.path_count; i++)
        close(files[i]);
    for (size_t i = 0; i < request.set_count; i++)
        free(sets[i]);
    return 0;
}
