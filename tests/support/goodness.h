/* SPDX-License-Identifier: GPL-3.0-or-later
 * Goodness of fit for tests with fixed seeds. The bounds are so wide that a right sampler fails
 * them once in ten thousand seeds; the sizes are such that a sampler wrong by 1 % in any tenth of
 * its distribution cannot pass. */
#ifndef FLEETCAST_TESTS_GOODNESS_H
#define FLEETCAST_TESTS_GOODNESS_H

#include <stddef.h>

/* Fails unless the sample (sorted in place) follows cdf by Kolmogorov and Smirnov:
 * sqrt(n) D < 2.2 (probability 1.2e-4). */
void assert_follows(double *sample, size_t n, double (*cdf)(double x, const void *context),
                    const void *context, const char *what);

/* Fails unless the counts fit the expected ones: chi-squared within 4.5 standard deviations above
 * its mean, cells - 1 degrees of freedom. NULL expected = all equal. */
void assert_counts(const double *counts, const double *expected, size_t cells, const char *what);

/* Correlation of two samples. */
double correlation(const double *a, const double *b, size_t n);

#endif
