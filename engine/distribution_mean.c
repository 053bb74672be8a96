/* SPDX-License-Identifier: GPL-3.0-or-later
 * Means. That of a truncated distribution is (M(high) - M(low)) / (probability inside), where
 * M(x) = E[X; X <= x] has a closed form for every family but one. Planning divides by these means,
 * so a sum over a few thousand quantiles, which misses the tail (0.1 % for a lognormal), would not
 * do. */
#include "engine/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

static double gamma_shape(const double p[3])
{
    return 1 / (p[1] * p[1]);
}

static double whole_mean(const struct distribution *d)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_UNIFORM:
        return p[0] / 2 + p[1] / 2;
    case DISTRIBUTION_LOGNORMAL:
        return p[0] * exp(p[1] * p[1] / 2);
    case DISTRIBUTION_TRIANGULAR:
        return p[0] / 3 + p[1] / 3 + p[2] / 3;
    case DISTRIBUTION_WEIBULL:
        return p[1] * tgamma(1 + 1 / p[0]);
    default:
        return p[0];
    }
}

/* The triangle left of its mode, up to s above a: the integral of (a + r) 2 r / (width × left). */
static double triangular_partial(const double p[3], double x)
{
    double width = p[2] - p[0];
    if (x <= p[0]) {
        return 0;
    }
    if (x < p[1]) {
        double s = x - p[0];
        return s * s / (width * (p[1] - p[0])) * (p[0] + 2 * s / 3);
    }
    if (x < p[2]) {
        double s = p[2] - x;
        return (p[0] + p[1] + p[2]) / 3 - s * s / (width * (p[2] - p[1])) * (p[2] - 2 * s / 3);
    }
    return (p[0] + p[1] + p[2]) / 3;
}

/* E[X; X <= x] for finite x. */
static double partial_mean(const struct distribution *d, double x)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_UNIFORM:
        x = fmin(fmax(x, p[0]), p[1]);
        return (x - p[0]) / (p[1] - p[0]) * (x / 2 + p[0] / 2);
    case DISTRIBUTION_NORMAL: {
        double z = (x - p[0]) / p[1];
        return p[0] * gsl_cdf_ugaussian_P(z) - p[1] * gsl_ran_ugaussian_pdf(z);
    }
    case DISTRIBUTION_LOGNORMAL:
        return x <= 0 ? 0 : whole_mean(d) * gsl_cdf_ugaussian_P(log(x / p[0]) / p[1] - p[1]);
    case DISTRIBUTION_TRIANGULAR:
        return triangular_partial(p, x);
    case DISTRIBUTION_EXPONENTIAL:
        return x <= 0 ? 0 : p[0] * gsl_cdf_gamma_P(x, 2, p[0]);
    case DISTRIBUTION_GAMMA:
        return x <= 0 ? 0 : p[0] * gsl_cdf_gamma_P(x, gamma_shape(p) + 1, p[0] / gamma_shape(p));
    case DISTRIBUTION_WEIBULL:
        return x <= 0 ? 0 : whole_mean(d) * gsl_sf_gamma_inc_P(1 + 1 / p[0], pow(x / p[1], p[0]));
    case DISTRIBUTION_POISSON:
        return x < 1 ? 0 : p[0] * gsl_cdf_poisson_P((unsigned)(floor(x) - 1), p[0]);
    default:
        return (double)NAN;
    }
}

static double empirical_mean(const struct distribution *d)
{
    double mean = 0;
    size_t n = 0;
    for (size_t i = 0; i < d->value_count; i++) {
        if (d->values[i] >= d->low && d->values[i] <= d->high) {
            mean += (d->values[i] - mean) / (double)++n;
        }
    }
    return mean;
}

/* Over the standard normal distribution, in which the quantile function of a logit-normal one is
 * smooth and bounded: the trapezoidal rule then converges faster than any power of the step. */
static double integrate_over_normal(const struct distribution *d)
{
    enum { STEPS = 2000 };
    const double end = 8.5;
    double sum = 0;
    double weights = 0;
    for (int i = 0; i <= STEPS; i++) {
        double z = end * (2.0 * i / STEPS - 1);
        double weight = gsl_ran_ugaussian_pdf(z);
        weights += weight;
        sum += weight * distribution_quantile(d, gsl_cdf_ugaussian_P(z));
    }
    return sum / weights;
}

double distribution_mean(const struct distribution *d)
{
    if (d->family == DISTRIBUTION_LOGIT_NORMAL) {
        return integrate_over_normal(d);
    }
    if (d->family == DISTRIBUTION_EMPIRICAL) {
        return empirical_mean(d);
    }
    if (!(d->u_low > 0) && !(d->u_high < 1)) {
        return whole_mean(d);
    }
    double above = d->u_high < 1 ? partial_mean(d, d->high) : whole_mean(d);
    double below = d->u_low > 0 ? partial_mean(d, nextafter(d->low, -HUGE_VAL)) : 0;
    return fmin(fmax((above - below) / (d->u_high - d->u_low), d->low), d->high);
}
