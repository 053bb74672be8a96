/* SPDX-License-Identifier: GPL-3.0-or-later
 * A scenario text through reader, plan and simulator, for tests that judge the whole path. */
#ifndef FLEETCAST_TESTS_STUDIES_H
#define FLEETCAST_TESTS_STUDIES_H

#include "scenarios/study/run.h"

#include <stddef.h>

/* Reads the text as a scenario file and resolves it; fails the test with all diagnostics when that
 * is not possible. sets: NULL-terminated "path=value", may be NULL. */
struct study *study_from_text(const char *text, const char *const *sets);
/* The same, with its warnings in d. */
struct study *study_from_text_telling(const char *text, struct diagnostics *d);
/* The diagnostics of a scenario that must not work, in words; caller frees. Fails when it works.
 * *exit_code: of the diagnostics. */
char *study_errors(const char *text, int *exit_code);

/* Runs and fails the test on an error. */
void study_run(struct run *run, const struct study *study, int jobs);

/* Mean and standard error of a metric of one strategy (all workloads); censored values count as
 * they are. */
struct mean {
    double mean, error, sd;
};
struct mean run_mean(const struct run *run, size_t strategy, enum metric m);
double run_value(const struct run *run, size_t strategy, uint32_t replication, enum metric m);

#endif
