/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_load.h"

#include "engine/extremes.h"

#include <math.h>

/* Below it terms of c2 cancel: its series, whose next term is a share r / 5 of it, then does. */
#define SHORT_STEP 1e-3

/* c2^2 as a function of r = step / tau. */
static double rest_of_mean(double r, double h, double c1)
{
    if (r < SHORT_STEP) {
        /* The variance of a Brownian bridge's mean, 2 r / 12. */
        return r / 6;
    }
    double gone = -expm1(-r);
    return double_max(0, 2 / r * (1 - gone / r) - h * h - c1 * c1);
}

struct interval_load_step interval_load_step(double step_s, double tau_s)
{
    struct interval_load_step p = {.step_s = step_s, .tau_s = tau_s};
    if (!(tau_s > 0)) {
        return p; /* nothing takes any time: the load is 0 */
    }
    double r = step_s / tau_s, gone = -expm1(-r), spread = sqrt(-expm1(-2 * r));
    p.keeps = exp(-r);
    p.mean_keeps = gone / r;
    p.end_1 = spread;
    p.mean_1 = p.mean_keeps * gone / spread;
    p.mean_2 = sqrt(rest_of_mean(r, p.mean_keeps, p.mean_1));
    p.mean_sd = sqrt(p.mean_keeps * p.mean_keeps + p.mean_1 * p.mean_1 + p.mean_2 * p.mean_2);
    return p;
}

struct interval_load interval_load_next(const struct interval_load_step *step, double x, double a,
                                        double peakedness, double z1, double z2)
{
    double sd = sqrt(a * peakedness);
    return (struct interval_load){
        .end = double_max(0, a + (x - a) * step->keeps + sd * step->end_1 * z1),
        .mean = double_max(0, a + (x - a) * step->mean_keeps +
                                  sd * (step->mean_1 * z1 + step->mean_2 * z2)),
    };
}
