/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distributions as pairs of functions, P(X <= x) and its inverse. Truncation to a legal range is
 * the inverse at a probability between those of the two ends: no draw is ever thrown away, so the
 * k-th uniform stays the k-th value whatever the range. Closed forms where there are any; GSL's
 * inverses for the normal and the gamma distribution, the latter checked, since GSL's iteration
 * fails for large coefficients of variation. */
#include "engine/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

#define Z95 1.6448536269514722 /* 95 % point of the standard normal distribution */

#define MOST_OUTSIDE     0.2
#define LEAST_U          0x1p-60
#define LARGEST_U        (1 - 0x1p-53)
#define POISSON_LARGEST  1e9
#define GAMMA_LARGEST_CV 1000

static double logit(double x)
{
    return log(x) - log1p(-x);
}

static double logistic(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* ---- inverses, whole distribution ----------------------------------------------------------- */

static double triangular_quantile(const double p[3], double u)
{
    double width = p[2] - p[0];
    double left = p[1] - p[0];
    return u * width < left ? p[0] + sqrt(u * width * left)
                            : p[2] - sqrt((1 - u) * width * (p[2] - p[1]));
}

/* Smallest k with P(K <= k) >= u, by bisection; the upper end lies beyond the largest u. */
static double poisson_quantile(double mean, double u)
{
    if (!(mean > 0)) {
        return 0;
    }
    double low = -1;
    double high = ceil(mean + 10 * sqrt(mean) + 50);
    while (high - low > 1) {
        double k = floor((low + high) / 2);
        if (gsl_cdf_poisson_P((unsigned)k, mean) >= u) {
            high = k;
        } else {
            low = k;
        }
    }
    return high;
}

/* x is nearly the quantile at u, for scale 1: one step of Newton's method, since GSL's iteration
 * ends at 1e-9 of the nearer tail. NaN when x is no good to begin with. */
static double gamma_refined(double x, double u, double shape)
{
    if (!isfinite(x)) {
        return (double)NAN;
    }
    double tail = u < 0.5 ? u : 1 - u;
    double got = u < 0.5 ? gsl_cdf_gamma_P(x, shape, 1) : gsl_cdf_gamma_Q(x, shape, 1);
    if (!(fabs(got - tail) <= 1e-9 * tail)) {
        return (double)NAN;
    }
    double step = (u < 0.5 ? got - tail : tail - got) / gsl_ran_gamma_pdf(x, shape, 1);
    return fabs(step) < 1e-6 * x ? x - step : x;
}

/* Beyond the quantile at the largest u, scale 1. */
static double gamma_largest(double shape)
{
    return shape + 40 * sqrt(shape) + 60;
}

/* GSL's iteration does not converge for small shapes (a coefficient of variation of 3 and more) and
 * returns NaN then; the fallback is bisection of log x, which always ends. */
static double gamma_quantile(double shape, double scale, double u)
{
    double x = gamma_refined(gsl_cdf_gamma_Pinv(u, shape, 1), u, shape);
    if (isfinite(x)) {
        return x * scale;
    }
    double low = -700;
    double high = log(gamma_largest(shape));
    for (int i = 0; i < 100 && high - low > 1e-14 * fabs(high); i++) {
        double middle = (low + high) / 2;
        bool above = u < 0.5 ? gsl_cdf_gamma_P(exp(middle), shape, 1) >= u
                             : gsl_cdf_gamma_Q(exp(middle), shape, 1) <= 1 - u;
        if (above) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return exp((low + high) / 2) * scale;
}

static double empirical_quantile(const struct distribution *d, double u)
{
    size_t i = (size_t)(u * (double)d->value_count);
    return d->values[i < d->value_count ? i : d->value_count - 1];
}

static double whole_quantile(const struct distribution *d, double u)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
        return p[0];
    case DISTRIBUTION_UNIFORM:
        return p[0] + u * (p[1] - p[0]);
    case DISTRIBUTION_NORMAL:
        return p[0] + p[1] * gsl_cdf_ugaussian_Pinv(u);
    case DISTRIBUTION_LOGNORMAL:
        return p[0] * exp(p[1] * gsl_cdf_ugaussian_Pinv(u));
    case DISTRIBUTION_LOGIT_NORMAL:
        return logistic(logit(p[0]) + p[1] * gsl_cdf_ugaussian_Pinv(u));
    case DISTRIBUTION_TRIANGULAR:
        return triangular_quantile(p, u);
    case DISTRIBUTION_EXPONENTIAL:
        return -p[0] * log1p(-u);
    case DISTRIBUTION_GAMMA:
        return p[1] > 0 ? gamma_quantile(1 / (p[1] * p[1]), p[0] * p[1] * p[1], u) : p[0];
    case DISTRIBUTION_WEIBULL:
        return p[1] * pow(-log1p(-u), 1 / p[0]);
    case DISTRIBUTION_POISSON:
        return poisson_quantile(p[0], u);
    case DISTRIBUTION_EMPIRICAL:
        return empirical_quantile(d, u);
    }
    return (double)NAN;
}

/* ---- P(X <= x), whole distribution ---------------------------------------------------------- */

static double normal_below(double x, double mean, double sd)
{
    return sd > 0 ? gsl_cdf_ugaussian_P((x - mean) / sd) : x >= mean;
}

static double uniform_below(const double p[3], double x)
{
    if (x < p[0]) {
        return 0;
    }
    return x >= p[1] ? 1 : (x - p[0]) / (p[1] - p[0]);
}

static double triangular_below(const double p[3], double x)
{
    double width = p[2] - p[0];
    if (x < p[0]) {
        return 0;
    }
    if (x >= p[2]) {
        return 1;
    }
    return x < p[1] ? (x - p[0]) / width * ((x - p[0]) / (p[1] - p[0]))
                    : 1 - (p[2] - x) / width * ((p[2] - x) / (p[2] - p[1]));
}

static double gamma_below(const double p[3], double x)
{
    if (x < 0) {
        return 0;
    }
    return p[1] > 0 ? gsl_cdf_gamma_P(x, 1 / (p[1] * p[1]), p[0] * p[1] * p[1]) : x >= p[0];
}

static double empirical_below(const struct distribution *d, double x)
{
    size_t low = 0;
    size_t high = d->value_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->values[middle] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (double)low / (double)d->value_count;
}

static double below(const struct distribution *d, double x)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
        return x >= p[0];
    case DISTRIBUTION_UNIFORM:
        return uniform_below(p, x);
    case DISTRIBUTION_NORMAL:
        return normal_below(x, p[0], p[1]);
    case DISTRIBUTION_LOGNORMAL:
        return x > 0 ? normal_below(log(x / p[0]), 0, p[1]) : 0;
    case DISTRIBUTION_LOGIT_NORMAL:
        return x <= 0 ? 0 : x >= 1 ? 1 : normal_below(logit(x) - logit(p[0]), 0, p[1]);
    case DISTRIBUTION_TRIANGULAR:
        return triangular_below(p, x);
    case DISTRIBUTION_EXPONENTIAL:
        return x <= 0 ? 0 : -expm1(-x / p[0]);
    case DISTRIBUTION_GAMMA:
        return gamma_below(p, x);
    case DISTRIBUTION_WEIBULL:
        return x <= 0 ? 0 : -expm1(-pow(x / p[1], p[0]));
    case DISTRIBUTION_POISSON:
        return x < 0 ? 0 : x >= 4 * POISSON_LARGEST ? 1 : gsl_cdf_poisson_P((unsigned)x, p[0]);
    case DISTRIBUTION_EMPIRICAL:
        return empirical_below(d, x);
    }
    return (double)NAN;
}

/* P(X < x): differs from `below` where there are atoms. */
static double strictly_below(const struct distribution *d, double x)
{
    return below(d, nextafter(x, -HUGE_VAL));
}

/* ---- preparing ------------------------------------------------------------------------------ */

/* What is wrong with the parameters; NULL when nothing is. */
static const char *find_fault(const struct distribution *d)
{
    const double *p = d->p;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
        return "its parameters are not finite";
    }
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
        break;
    case DISTRIBUTION_UNIFORM:
        return p[1] < p[0] ? "the upper end of 'uniform' lies below the lower one" : NULL;
    case DISTRIBUTION_NORMAL:
        return p[1] < 0 ? "the standard deviation of 'normal' is negative" : NULL;
    case DISTRIBUTION_LOGNORMAL:
        return !(p[0] > 0) ? "the median of 'lognormal' is not positive"
               : p[1] < 0  ? "the 95th percentile of 'lognormal' lies below its median"
                           : NULL;
    case DISTRIBUTION_LOGIT_NORMAL:
        return !(p[0] > 0 && p[0] < 1) ? "the median of a share is not between 0 and 1"
               : p[1] < 0              ? "the spread of a share is negative"
                                       : NULL;
    case DISTRIBUTION_TRIANGULAR:
        return p[1] < p[0] || p[2] < p[1] ? "the three values of 'triangular' do not rise" : NULL;
    case DISTRIBUTION_EXPONENTIAL:
        return !(p[0] > 0) ? "the mean of 'exponential' is not positive" : NULL;
    case DISTRIBUTION_GAMMA:
        return !(p[0] > 0)               ? "the mean of 'gamma' is not positive"
               : p[1] < 0                ? "the coefficient of variation of 'gamma' is negative"
               : p[1] > GAMMA_LARGEST_CV ? "the coefficient of variation of 'gamma' is above 1000"
                                         : NULL;
    case DISTRIBUTION_WEIBULL:
        return !(p[0] > 0 && p[1] > 0) ? "shape and scale of 'weibull' are not both positive"
                                       : NULL;
    case DISTRIBUTION_POISSON:
        return !(p[0] >= 0 && p[0] < POISSON_LARGEST) ? "the mean of 'poisson' is not in [0, 1e9)"
                                                      : NULL;
    case DISTRIBUTION_EMPIRICAL:
        if (d->value_count == 0) {
            return "there are no values";
        }
        return !isfinite(d->values[0]) || !isfinite(d->values[d->value_count - 1])
                   ? "its values are not finite"
                   : NULL;
    }
    return NULL;
}

/* Whether a draw, a step on the way to it, or the mean leaves the doubles. */
static bool overflows(const struct distribution *d)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_POISSON:
    case DISTRIBUTION_EMPIRICAL:
        return false;
    case DISTRIBUTION_TRIANGULAR:
        return !isfinite((p[2] - p[0]) * (p[2] - p[0]));
    case DISTRIBUTION_GAMMA:
        return p[1] > 0 && !isfinite(p[0] * p[1] * p[1] * gamma_largest(1 / (p[1] * p[1])));
    default: {
        struct distribution whole = *d;
        whole.low = -HUGE_VAL;
        whole.high = HUGE_VAL;
        whole.u_low = 0;
        whole.u_high = 1;
        bool has_mean =
            d->family == DISTRIBUTION_LOGIT_NORMAL || isfinite(distribution_mean(&whole));
        return !has_mean || !isfinite(whole_quantile(d, LEAST_U)) ||
               !isfinite(whole_quantile(d, LARGEST_U));
    }
    }
}

bool distribution_prepare(struct distribution *d, double *outside, char *message,
                          size_t message_size)
{
    double share = 0;
    const char *fault = find_fault(d);
    if (fault == NULL && overflows(d)) {
        fault = "the distribution has values beyond what can be computed; choose less extreme "
                "arguments";
    }
    if (fault == NULL) {
        d->u_low = isfinite(d->low) ? strictly_below(d, d->low) : 0;
        d->u_high = isfinite(d->high) ? below(d, d->high) : 1;
        share = d->u_low + (1 - d->u_high);
    }
    if (outside != NULL) {
        *outside = share;
    }
    if (fault != NULL) {
        snprintf(message, message_size, "%s", fault);
        return false;
    }
    if (!(share <= MOST_OUTSIDE)) {
        snprintf(message, message_size,
                 "%.3g %% of the distribution lies outside the legal range, at most 20 %% may",
                 100 * share);
        return false;
    }
    return true;
}

double distribution_quantile(const struct distribution *d, double u)
{
    double inner = d->u_low + u * (d->u_high - d->u_low);
    /* Rounding must not reach 0 or 1, where the tails are infinite. */
    inner = inner > LEAST_U ? inner : LEAST_U;
    double value = whole_quantile(d, inner < LARGEST_U ? inner : LARGEST_U);
    value = value > d->low ? value : d->low; /* comparisons: fmin and fmax are calls */
    return value < d->high ? value : d->high;
}

double distribution_median(const struct distribution *d)
{
    return distribution_quantile(d, 0.5);
}

/* ---- making --------------------------------------------------------------------------------- */

struct distribution distribution_lognormal(double p50, double p95)
{
    return (struct distribution){.family = DISTRIBUTION_LOGNORMAL,
                                 .p = {p50, log(p95 / p50) / Z95},
                                 .low = -HUGE_VAL,
                                 .high = HUGE_VAL,
                                 .u_high = 1};
}

struct distribution distribution_from_interval(double a, double b, bool share)
{
    struct distribution d = {.low = -HUGE_VAL, .high = HUGE_VAL, .u_high = 1};
    if (share && a > 0 && b > 0 && a < 1 && b < 1) {
        d.family = DISTRIBUTION_LOGIT_NORMAL;
        d.p[0] = logistic((logit(a) + logit(b)) / 2);
        d.p[1] = (logit(b) - logit(a)) / (2 * Z95);
    } else if (a > 0 && b > 0) {
        d.family = DISTRIBUTION_LOGNORMAL;
        d.p[0] = sqrt(a) * sqrt(b);
        d.p[1] = log(b / a) / (2 * Z95);
    } else {
        d.family = DISTRIBUTION_NORMAL;
        d.p[0] = a / 2 + b / 2;
        d.p[1] = (b - a) / (2 * Z95);
    }
    return d;
}

const char *distribution_family_name(enum distribution_family f)
{
    static const char *const names[] = {
        [DISTRIBUTION_CONSTANT] = "constant",
        [DISTRIBUTION_UNIFORM] = "uniform",
        [DISTRIBUTION_NORMAL] = "normal",
        [DISTRIBUTION_LOGNORMAL] = "lognormal",
        [DISTRIBUTION_LOGIT_NORMAL] = "logitnormal",
        [DISTRIBUTION_TRIANGULAR] = "triangular",
        [DISTRIBUTION_EXPONENTIAL] = "exponential",
        [DISTRIBUTION_GAMMA] = "gamma",
        [DISTRIBUTION_WEIBULL] = "weibull",
        [DISTRIBUTION_POISSON] = "poisson",
        [DISTRIBUTION_EMPIRICAL] = "empirical",
    };
    return names[f];
}
