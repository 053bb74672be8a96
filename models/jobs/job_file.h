/* SPDX-License-Identifier: GPL-3.0-or-later
 * A table of jobs as a CSV file: the columns `submitted` (a date or time in UTC, or a time from the
 * scenario's start such as `36h`), `duration_s` or `gpu_hours`, and, where they are there,
 * `name`, `nodes`, `gpus` and `priority`. What the importer of job traces writes. */
#ifndef FLEETCAST_MODELS_JOB_FILE_H
#define FLEETCAST_MODELS_JOB_FILE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One job. Absent: duration_s or gpu_s NaN, nodes and gpus 0, name "". */
struct job_row {
    const char *name;
    double submit_s; /* from the scenario's start */
    double duration_s;
    double gpu_s; /* GPU-seconds */
    uint32_t nodes, gpus;
    int64_t priority;
    size_t row; /* in the file, from 0 */
};

struct job_rows {
    const struct job_row *items; /* by submission, rising; in the order of the file where equal */
    size_t count;
};

/* Reads into the arena. What is wrong is told with file and line; false then. shown: what messages
 * call the file. most: rows. */
bool job_file_read(struct job_rows *rows, const char *path, const char *shown, int64_t start_unix_s,
                   size_t most, struct arena *a, struct diagnostics *d);

#endif
