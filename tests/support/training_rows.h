/* SPDX-License-Identifier: GPL-3.0-or-later
 * Published measurements of training speed, one a line of a CSV file, as questions to the speed
 * estimate: what is trained, on what, how much of it, and what was measured. Everything is read
 * from the words and numbers of the row itself; a row that does not state an input says which. */
#ifndef FLEETCAST_TESTS_TRAINING_ROWS_H
#define FLEETCAST_TESTS_TRAINING_ROWS_H

#include "engine/csv_reader.h"
#include "models/speed/speed_estimate.h"

#include <stdbool.h>
#include <stddef.h>

enum training_column {
    COLUMN_ID,
    COLUMN_KIND,
    COLUMN_MODEL,
    COLUMN_PARAMS,
    COLUMN_DATA,
    COLUMN_GPU_MODEL,
    COLUMN_GPU_COUNT,
    COLUMN_INSTANCE,
    COLUMN_PRECISION,
    COLUMN_METRIC,
    COLUMN_VALUE,
    COLUMN_UNIT,
    COLUMN_SPREAD,
    COLUMN_SOURCE,
    COLUMN_NOTES,
    COLUMN_COUNT
};
extern const char *const training_columns[]; /* for csv_open, NULL at the end */

struct training_row {
    char id[64],
        source[160]; /* source: that of the measurement, without what tells its rows apart */
    char metric[64];
    bool wanted; /* throughput, train_throughput, iteration_time, gpu_hours or wall_time */
    struct speed_setting setting;
    struct accelerator chip;
    double units_per_s; /* measured, of the whole job; see setting.unit */
};

/* Reads the line that r stands on. NULL: a question; else the reason why it is none, with id,
 * metric and wanted set all the same. setting.roofline and setting.accelerator (&row->chip, once
 * the row stays where it is) are left to the caller. */
const char *training_row_read(struct training_row *row, struct csv_reader *r,
                              const struct catalogue *c);

#endif
