/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probability distributions with a quantile function: everything a scenario can say for a number.
 * Draws are by inverse transform of one uniform, so that one uniform means the same luck whatever
 * the parameters (common random numbers, DESIGN invariant 2). */
#ifndef FLEETCAST_ENGINE_DISTRIBUTION_H
#define FLEETCAST_ENGINE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

enum distribution_family {
    DISTRIBUTION_CONSTANT,     /* p0 = value */
    DISTRIBUTION_UNIFORM,      /* p0 = a, p1 = b */
    DISTRIBUTION_NORMAL,       /* p0 = mean, p1 = sd */
    DISTRIBUTION_LOGNORMAL,    /* p0 = median, p1 = sd of the log */
    DISTRIBUTION_LOGIT_NORMAL, /* p0 = median (a share), p1 = sd of the logit */
    DISTRIBUTION_TRIANGULAR,   /* p0 = a, p1 = mode, p2 = b */
    DISTRIBUTION_EXPONENTIAL,  /* p0 = mean */
    DISTRIBUTION_GAMMA,        /* p0 = mean, p1 = coefficient of variation */
    DISTRIBUTION_WEIBULL,      /* p0 = shape, p1 = scale */
    DISTRIBUTION_POISSON,      /* p0 = mean */
    DISTRIBUTION_EMPIRICAL     /* values */
};

struct distribution {
    enum distribution_family family;
    double p[3];
    const double *values; /* EMPIRICAL: sorted ascending; borrowed */
    size_t value_count;
    double low, high;     /* legal range; -inf, +inf when none */
    double u_low, u_high; /* probabilities at low and high: set by distribution_prepare */
};

/* Checks parameters, precomputes the truncation. False with a sentence part in message when the
 * parameters are impossible (b < a, sd < 0, …), when values overflow a double, or when more than
 * 20 % lies outside [low, high]; *outside receives the share outside (a warning is due above
 * 0.001), 0 if the parameters are impossible. outside may be NULL. */
bool distribution_prepare(struct distribution *d, double *outside, char *message,
                          size_t message_size);

/* The value at probability u in (0, 1) of the truncated distribution. Finite always. */
double distribution_quantile(const struct distribution *d, double u);
/* Mean of the truncated distribution: in closed form, except the logit-normal, which has none and
 * is integrated to 1e-10. */
double distribution_mean(const struct distribution *d);
double distribution_median(const struct distribution *d);

/* "a..b": the 90 % interval (P5 = a, P95 = b), DESIGN section 6: logit-normal when `share` and both
 * inside (0, 1), else lognormal when both are positive, else normal. Not yet prepared, and without
 * a legal range; so is the next. */
struct distribution distribution_from_interval(double a, double b, bool share);
/* From P50 and P95 of a lognormal. */
struct distribution distribution_lognormal(double p50, double p95);
const char *distribution_family_name(enum distribution_family f);

#endif
