/* SPDX-License-Identifier: GPL-3.0-or-later
 * The roofline's six numbers by least squares of ln(rate) over measurements (Levenberg-Marquardt on
 * their logarithms, all rows alike). */
#ifndef FLEETCAST_TESTS_ROOFLINE_FIT_H
#define FLEETCAST_TESTS_ROOFLINE_FIT_H

#include "tests/support/training_rows.h"

enum { FIT_NUMBERS = 6 };

/* ln(predicted / measured). Infinity: it cannot be estimated. */
double training_row_error(const struct training_row *row, const struct roofline *r,
                          struct speed_estimate *e);

/* *r: where to begin, and the result. skipped NULL: all rows; else without those of that source.
 * Without the row that tells it a number stays as it was. se, if not NULL, receives the standard
 * errors of the logarithms. */
void roofline_fit(struct roofline *r, const struct training_row *rows, size_t count,
                  const char *skipped, double se[FIT_NUMBERS]);
extern const char *const roofline_fit_names[FIT_NUMBERS];
void roofline_fit_values(const struct roofline *r, double out[FIT_NUMBERS]);

#endif
