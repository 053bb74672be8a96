/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a published measurement is of: the model, the accelerator and the number format, from the
 * words of its row. For training_rows only. */
#ifndef FLEETCAST_TESTS_TRAINING_SUBJECT_H
#define FLEETCAST_TESTS_TRAINING_SUBJECT_H

#include "tests/support/training_rows.h"

/* What a line says, and what has been understood of it so far. */
struct reading {
    struct csv_reader *csv;
    const struct catalogue *catalogue;
    struct training_row *row;
    double measured; /* the value as it stands */
    double seconds;  /* of the unit, where it is one of time; else 0 */
};

const char *reading_text(const struct reading *g, enum training_column c);
/* Whatever the case of the words. */
bool reading_says(const struct reading *g, enum training_column c, const char *words);

/* Each fills its part of the row; NULL, or what is missing. */
const char *subject_read_model(struct reading *g);
const char *subject_read_chip(struct reading *g);
const char *subject_read_precision(struct reading *g);

#endif
