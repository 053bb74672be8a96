/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small linear programmes, for tests that hold a search against an optimum that is known to be one:
 * minimise c x with A x >= b, x >= 0 and c >= 0, by the dual simplex method (Lemke 1954) on a dense
 * tableau, with the smallest index among equals. */
#ifndef FLEETCAST_TESTS_LINEAR_PROGRAMME_H
#define FLEETCAST_TESTS_LINEAR_PROGRAMME_H

#include <stddef.h>

/* a[rows][columns]. The optimum's value; x (columns) is filled. Fails the test when there is no
 * solution. */
double linear_programme(const double *c, const double *a, const double *b, size_t rows,
                        size_t columns, double *x);

#endif
