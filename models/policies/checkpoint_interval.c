/* SPDX-License-Identifier: GPL-3.0-or-later
 * The optimum solves exp(-(tau + C)/M) = 1 - tau/M: from the expected time of a segment,
 * (exp((tau + C)/M) - 1) * M per tau of useful work. */
#include "models/policies/checkpoint_interval.h"

#include <gsl/gsl_sf_lambert.h>
#include <math.h>

/* 1 + W0(-exp(-1 - e)). Near e = 0 the argument loses all digits to its distance from the branch
 * point -1/e, so there the branch series in p = sqrt(2 (1 - exp(-e))) is used (Corless et al., "On
 * the Lambert W function", 1996, eq. 4.22), with p from expm1. */
static double one_plus_w(double e)
{
    double p = sqrt(-2.0 * expm1(-e));
    if (p < 0.02) {
        double tail = -43.0 / 540.0 + p * (769.0 / 17280.0 - p * (221.0 / 8505.0));
        return p * (1.0 - p * (1.0 / 3.0 - p * (11.0 / 72.0 + p * tail)));
    }
    return 1.0 + gsl_sf_lambert_W0(-exp(-1.0 - e));
}

double checkpoint_interval_s(double loss_rate_per_s, double write_s)
{
    if (loss_rate_per_s == 0.0) {
        return HUGE_VAL;
    }
    if (write_s == 0.0) {
        return 0.0;
    }
    return one_plus_w(write_s * loss_rate_per_s) / loss_rate_per_s;
}
