/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many nodes run and when, from a CSV file: the columns `time` (a date or time in UTC, or a
 * time from the scenario's start such as `36h`) and `nodes`. A row holds to the next one, the last
 * one without end; before the first none runs. */
#ifndef FLEETCAST_MODELS_NEED_FILE_H
#define FLEETCAST_MODELS_NEED_FILE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of one file; an hour each of more than a hundred years. */
#define NEED_FILE_MAX_ROWS 1000000

struct need_step {
    double from_s; /* from the scenario's start; may be negative */
    double nodes;
};

struct need_steps {
    const struct need_step *items; /* times rising */
    size_t count;
};

/* Reads into the arena. What is wrong is told with file and line; false then. shown: what messages
 * call the file. most: the largest number of nodes. */
bool need_file_read(struct need_steps *steps, const char *path, const char *shown,
                    int64_t start_unix_s, double most, struct arena *a, struct diagnostics *d);

#endif
