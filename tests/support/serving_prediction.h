/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of serving_rows.h predicted by the step equation: static batches and saturated replicas in
 * closed form, bursts and users by the jump model; and the numbers of the equation fitted to rows
 * anew. */
#ifndef FLEETCAST_TESTS_SERVING_PREDICTION_H
#define FLEETCAST_TESTS_SERVING_PREDICTION_H

#include "tests/support/serving_rows.h"

enum { SERVING_NUMBERS = 5 };
extern const char *const serving_number_names[SERVING_NUMBERS];
/* e_c at 16 bits, e_c at 8 bits, e_m, tau (s), t_1 (s). */
struct serving_numbers {
    double of[SERVING_NUMBERS];
};
struct serving_numbers serving_numbers_default(void);

/* factor: on all times. out[m]: tokens of output a second, seconds; 0 where the load has none.
 * False: the weights, or a request, do not fit into the memory. */
bool serving_predict(const struct serving_row *row, const struct serving_numbers *n, double factor,
                     double out[SERVING_MEASURES]);

/* Least squares of ln(predicted / measured) at a factor of 1 over the rows of tuned engines that
 * are neither `assumed` nor `unpredictable` (trust region on the log-odds of the shares and the
 * logarithms of the times; each is held to the default by a prior of standard deviation 1, beside
 * 0.15 of a row). skipped NULL: all, else without those of that source. Returns the rows that were
 * used. */
size_t serving_fit(struct serving_numbers *n, const struct serving_row *rows, size_t count,
                   const char *skipped);

#endif
