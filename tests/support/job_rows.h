/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of job stories (job_world.h), one test a row. */
#ifndef FLEETCAST_TESTS_JOB_ROWS_H
#define FLEETCAST_TESTS_JOB_ROWS_H

#include "tests/support/job_world.h"

#include <stddef.h>

struct job_row {
    const char *name;
    struct job_world_script script; /* horizon 0: 100,000 s */
    const char *story;              /* all usage records */
    const char *results[JOB_WORLD_JOBS];
};

/* Runs all rows as a group of tests; returns the number of failures. */
int job_rows_run(const char *group, const struct job_row *rows, size_t count);

#endif
