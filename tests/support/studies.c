/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/studies.h"

#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

static struct study *make(const char *text, const char *const *sets, struct diagnostics *d)
{
    char path[] = "/tmp/fleetcast-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    size_t set_count = 0;
    while (sets != NULL && sets[set_count] != NULL) {
        set_count++;
    }
    const char *paths[] = {path};
    struct catalogue *c = catalogue_load(NULL, NULL, 0, d);
    struct scenario_request request = {.paths = paths,
                                       .path_count = 1,
                                       .sets = sets,
                                       .set_count = set_count,
                                       .currency_of = currency_of,
                                       .context = c};
    struct scenario *sc = c == NULL ? NULL : scenario_read(&request, d);
    struct study *s = NULL;
    if (sc != NULL) {
        s = study_new(sc, c, d);
    } else {
        catalogue_free(c);
    }
    unlink(path);
    return s;
}

static char *words(struct diagnostics *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    diagnostics_write(d, out);
    fclose(out);
    return text;
}

static struct study *make_or_fail(const char *text, const char *const *sets, struct diagnostics *d)
{
    struct study *s = make(text, sets, d);
    if (s == NULL) {
        char *what = words(d);
        fprintf(stderr, "%s\n", what);
        free(what);
        fail_msg("the scenario was refused");
    }
    return s;
}

struct study *study_from_text(const char *text, const char *const *sets)
{
    struct diagnostics *d = diagnostics_new();
    struct study *s = make_or_fail(text, sets, d);
    diagnostics_free(d);
    return s;
}

struct study *study_from_text_telling(const char *text, struct diagnostics *d)
{
    return make_or_fail(text, NULL, d);
}

char *study_errors(const char *text, int *exit_code)
{
    struct diagnostics *d = diagnostics_new();
    struct study *s = make(text, NULL, d);
    char *what = words(d);
    *exit_code = diagnostics_exit_code(d);
    diagnostics_free(d);
    if (s != NULL) {
        study_free(s);
        free(what);
        fail_msg("the scenario was accepted");
    }
    return what;
}

void study_run(struct run *run, const struct study *study, int jobs)
{
    struct diagnostics *d = diagnostics_new();
    const struct run_options options = {.jobs = jobs};
    if (!run_study(run, study, &options, d)) {
        char *what = words(d);
        fprintf(stderr, "%s\n", what);
        free(what);
        fail_msg("the run failed");
    }
    diagnostics_free(d);
}

double run_value(const struct run *run, size_t strategy, uint32_t replication, enum metric m)
{
    return metric_number(
        results_cells(&run->results, replication, strategy, run->results.workloads), m);
}

struct mean run_mean(const struct run *run, size_t strategy, enum metric m)
{
    uint32_t n = run->results.replications;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += run_value(run, strategy, i, m);
    }
    double mean = sum / n;
    for (uint32_t i = 0; i < n; i++) {
        double off = run_value(run, strategy, i, m) - mean;
        squares += off * off;
    }
    double sd = sqrt(squares / (n - 1));
    return (struct mean){.mean = mean, .sd = sd, .error = sd / sqrt(n)};
}
