/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/goodness.h"

#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

void assert_follows(double *sample, size_t n, double (*cdf)(double x, const void *context),
                    const void *context, const char *what)
{
    double distance = 0;
    gsl_sort(sample, 1, n);
    for (size_t i = 0; i < n; i++) {
        double p = cdf(sample[i], context);
        distance = fmax(distance, fmax((double)(i + 1) / (double)n - p, p - (double)i / (double)n));
    }
    if (!(sqrt((double)n) * distance < 2.2)) {
        fail_msg("%s: sqrt(n) D = %.3f over %zu values", what, sqrt((double)n) * distance, n);
    }
}

void assert_counts(const double *counts, const double *expected, size_t cells, const char *what)
{
    double total = 0;
    double chi_squared = 0;
    for (size_t i = 0; i < cells; i++) {
        total += counts[i];
    }
    for (size_t i = 0; i < cells; i++) {
        double want = expected == NULL ? total / (double)cells : expected[i];
        chi_squared += (counts[i] - want) * (counts[i] - want) / want;
    }
    double z = gsl_cdf_ugaussian_Qinv(gsl_cdf_chisq_Q(chi_squared, (double)(cells - 1)));
    if (!(z < 4.5)) {
        fail_msg("%s: chi-squared %.1f with %zu degrees of freedom", what, chi_squared, cells - 1);
    }
}

double correlation(const double *a, const double *b, size_t n)
{
    return gsl_stats_correlation(a, 1, b, 1, n);
}
