/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/distribution.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

#define Z95 1.6448536269514722 /* PHI^-1(0.95) */

#define MOST_OUTSIDE    0.2
#define QUADRATURE      2000
#define POISSON_LARGEST 1e9

static double logit(double x)
{
    return log(x) - log1p(-x);
}

static double logistic(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* ---- the untruncated distribution ---- */

static double triangular_quantile(const double p[3], double u)
{
    double width = p[2] - p[0];
    double left = p[1] - p[0];
    if (!(width > 0)) {
        return p[0];
    }
    return u * width < left ? p[0] + sqrt(u * width * left)
                            : p[2] - sqrt((1 - u) * width * (p[2] - p[1]));
}

/* Smallest k with P(K <= k) >= u: bisection, as the normal approximation is only a start. */
static double poisson_quantile(double mean, double u)
{
    if (!(mean > 0)) {
        return 0;
    }
    double sd = sqrt(mean);
    double low = -1, high = ceil(mean + 10 * sd + 50);
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

/* True when x is the quantile at u to 1e-9 of the nearer tail. */
static bool is_gamma_quantile(double x, double u, double shape)
{
    double tail = u < 0.5 ? u : 1 - u;
    double got = u < 0.5 ? gsl_cdf_gamma_P(x, shape, 1) : gsl_cdf_gamma_Q(x, shape, 1);
    return fabs(got - tail) <= 1e-9 * tail;
}

/* GSL's iteration does not converge for small shapes (a coefficient of variation of 3 and more) and
 * returns NaN then; the fallback is bisection of log x, which always ends. */
static double gamma_quantile(double shape, double scale, double u)
{
    double x = gsl_cdf_gamma_Pinv(u, shape, 1);
    if (isfinite(x) && is_gamma_quantile(x, u, shape)) {
        return x * scale;
    }
    double low = -700, high = log(shape + 40 * sqrt(shape) + 60);
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

static double quantile(const struct distribution *d, double u)
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
    case DISTRIBUTION_EMPIRICAL: {
        size_t i = (size_t)(u * (double)d->value_count);
        return d->values[i < d->value_count ? i : d->value_count - 1];
    }
    }
    return (double)NAN;
}

static double normal_below(double x, double mean, double sd)
{
    return sd > 0 ? gsl_cdf_ugaussian_P((x - mean) / sd) : x >= mean;
}

static double triangular_below(const double p[3], double x)
{
    double width = p[2] - p[0];
    if (x <= p[0]) {
        return width > 0 || x < p[0] ? 0 : 1;
    }
    if (x >= p[2]) {
        return 1;
    }
    return x < p[1] ? (x - p[0]) * (x - p[0]) / (width * (p[1] - p[0]))
                    : 1 - (p[2] - x) * (p[2] - x) / (width * (p[2] - p[1]));
}

static double empirical_below(const struct distribution *d, double x)
{
    size_t below = 0;
    while (below < d->value_count && d->values[below] <= x) {
        below++;
    }
    return (double)below / (double)d->value_count;
}

/* P(X <= x) for finite x. */
static double below(const struct distribution *d, double x)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
        return x >= p[0];
    case DISTRIBUTION_UNIFORM:
        return x <= p[0] ? (double)(!(p[1] > p[0]) && x >= p[0])
                         : fmin(1, (x - p[0]) / (p[1] - p[0]));
    case DISTRIBUTION_NORMAL:
        return normal_below(x, p[0], p[1]);
    case DISTRIBUTION_LOGNORMAL:
        return x > 0 ? normal_below(log(x), log(p[0]), p[1]) : 0;
    case DISTRIBUTION_LOGIT_NORMAL:
        return x <= 0 ? 0 : x >= 1 ? 1 : normal_below(logit(x), logit(p[0]), p[1]);
    case DISTRIBUTION_TRIANGULAR:
        return triangular_below(p, x);
    case DISTRIBUTION_EXPONENTIAL:
        return x <= 0 ? 0 : -expm1(-x / p[0]);
    case DISTRIBUTION_GAMMA:
        return x <= 0     ? 0
               : p[1] > 0 ? gsl_cdf_gamma_P(x, 1 / (p[1] * p[1]), p[0] * p[1] * p[1])
                          : (double)(x >= p[0]);
    case DISTRIBUTION_WEIBULL:
        return x <= 0 ? 0 : -expm1(-pow(x / p[1], p[0]));
    case DISTRIBUTION_POISSON:
        return x < 0 ? 0 : x >= POISSON_LARGEST ? 1 : gsl_cdf_poisson_P((unsigned)floor(x), p[0]);
    case DISTRIBUTION_EMPIRICAL:
        return empirical_below(d, x);
    }
    return (double)NAN;
}

/* P(X < x): differs from `below` where there are atoms. */
static double strictly_below(const struct distribution *d, double x)
{
    switch (d->family) {
    case DISTRIBUTION_POISSON:
        return below(d, ceil(x) - 1);
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_EMPIRICAL:
        return below(d, nextafter(x, -HUGE_VAL));
    default:
        return below(d, x);
    }
}

/* ---- preparing ---- */

static bool possible(const struct distribution *d, char *message, size_t size)
{
    const double *p = d->p;
    for (int i = 0; i < 3; i++) {
        if (!isfinite(p[i])) {
            snprintf(message, size, "its parameters are not finite");
            return false;
        }
    }
    const char *wrong = NULL;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
        break;
    case DISTRIBUTION_UNIFORM:
        wrong = p[1] < p[0] ? "the upper end of 'uniform' lies below the lower one" : NULL;
        break;
    case DISTRIBUTION_NORMAL:
        wrong = p[1] < 0 ? "the standard deviation of 'normal' is negative" : NULL;
        break;
    case DISTRIBUTION_LOGNORMAL:
        wrong = !(p[0] > 0) ? "the median of 'lognormal' is not positive"
                : p[1] < 0  ? "the 95th percentile of 'lognormal' lies below its median"
                            : NULL;
        break;
    case DISTRIBUTION_LOGIT_NORMAL:
        wrong = !(p[0] > 0 && p[0] < 1) ? "the median of a share is not between 0 and 1"
                : p[1] < 0              ? "the spread of a share is negative"
                                        : NULL;
        break;
    case DISTRIBUTION_TRIANGULAR:
        wrong =
            !(p[0] <= p[1] && p[1] <= p[2]) ? "the three values of 'triangular' do not rise" : NULL;
        break;
    case DISTRIBUTION_EXPONENTIAL:
        wrong = !(p[0] > 0) ? "the mean of 'exponential' is not positive" : NULL;
        break;
    case DISTRIBUTION_GAMMA:
        wrong = !(p[0] > 0) ? "the mean of 'gamma' is not positive"
                : p[1] < 0  ? "the coefficient of variation of 'gamma' is negative"
                            : NULL;
        break;
    case DISTRIBUTION_WEIBULL:
        wrong =
            !(p[0] > 0 && p[1] > 0) ? "shape and scale of 'weibull' are not both positive" : NULL;
        break;
    case DISTRIBUTION_POISSON:
        wrong = !(p[0] >= 0 && p[0] < POISSON_LARGEST) ? "the mean of 'poisson' is not in [0, 1e9)"
                                                       : NULL;
        break;
    case DISTRIBUTION_EMPIRICAL:
        wrong = d->value_count == 0 ? "there are no values" : NULL;
        break;
    }
    if (wrong != NULL) {
        snprintf(message, size, "%s", wrong);
    }
    return wrong == NULL;
}

bool distribution_prepare(struct distribution *d, double *outside, char *message,
                          size_t message_size)
{
    if (outside != NULL) {
        *outside = 0;
    }
    if (!possible(d, message, message_size)) {
        return false;
    }
    d->u_low = isfinite(d->low) ? strictly_below(d, d->low) : 0;
    d->u_high = isfinite(d->high) ? below(d, d->high) : 1;
    double out = d->u_low + (1 - d->u_high);
    if (outside != NULL) {
        *outside = out;
    }
    if (out > MOST_OUTSIDE) {
        snprintf(message, message_size, "%.0f %% of the distribution lies outside the legal range",
                 100 * out);
        return false;
    }
    return true;
}

double distribution_quantile(const struct distribution *d, double u)
{
    double inner = d->u_low + u * (d->u_high - d->u_low);
    /* Rounding must not reach 0 or 1, where the tails are infinite. */
    inner = fmin(fmax(inner, 0x1p-60), 1 - 0x1p-53);
    return fmin(fmax(quantile(d, inner), d->low), d->high);
}

/* ---- moments ---- */

/* NaN where no closed form is used. */
static double closed_mean(const struct distribution *d)
{
    const double *p = d->p;
    switch (d->family) {
    case DISTRIBUTION_CONSTANT:
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_EXPONENTIAL:
    case DISTRIBUTION_GAMMA:
    case DISTRIBUTION_POISSON:
        return p[0];
    case DISTRIBUTION_UNIFORM:
        return (p[0] + p[1]) / 2;
    case DISTRIBUTION_LOGNORMAL:
        return p[0] * exp(p[1] * p[1] / 2);
    case DISTRIBUTION_TRIANGULAR:
        return (p[0] + p[1] + p[2]) / 3;
    case DISTRIBUTION_WEIBULL:
        return p[1] * tgamma(1 + 1 / p[0]);
    case DISTRIBUTION_LOGIT_NORMAL:
    case DISTRIBUTION_EMPIRICAL:
        break;
    }
    return (double)NAN;
}

double distribution_mean(const struct distribution *d)
{
    bool cut = d->u_low > 0 || d->u_high < 1;
    double mean = cut ? (double)NAN : closed_mean(d);
    if (d->family == DISTRIBUTION_CONSTANT) {
        return d->p[0];
    }
    if (isfinite(mean)) {
        return mean;
    }
    double sum = 0;
    if (d->family == DISTRIBUTION_EMPIRICAL && !cut) {
        for (size_t i = 0; i < d->value_count; i++) {
            sum += d->values[i] / (double)d->value_count;
        }
        return sum;
    }
    for (int i = 0; i < QUADRATURE; i++) {
        sum += distribution_quantile(d, (i + 0.5) / QUADRATURE);
    }
    return sum / QUADRATURE;
}

double distribution_median(const struct distribution *d)
{
    return distribution_quantile(d, 0.5);
}

/* ---- making ---- */

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
    if (share && a > 0 && b < 1) {
        d.family = DISTRIBUTION_LOGIT_NORMAL;
        d.p[0] = logistic((logit(a) + logit(b)) / 2);
        d.p[1] = (logit(b) - logit(a)) / (2 * Z95);
    } else if (a > 0) {
        d.family = DISTRIBUTION_LOGNORMAL;
        d.p[0] = sqrt(a) * sqrt(b);
        d.p[1] = log(b / a) / (2 * Z95);
    } else {
        d.family = DISTRIBUTION_NORMAL;
        d.p[0] = (a + b) / 2;
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
