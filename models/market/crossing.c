/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/crossing.h"

#include "models/market/hidden_process.h"

#include <gsl/gsl_sf_erf.h>
#include <math.h>

#define TWO_PI 6.283185307179586477

double crossing_tick_correlation(double short_weight, double short_s, double long_s)
{
    return short_weight * exp(-HIDDEN_STEP_S / short_s) +
           (1.0 - short_weight) * exp(-HIDDEN_STEP_S / long_s);
}

double crossing_loss_rate(double threshold, double tick_correlation)
{
    double share = acos(tick_correlation) / TWO_PI * exp(-0.5 * threshold * threshold);
    return share / HIDDEN_STEP_S;
}

static double integrand(double u, double threshold)
{
    double c = 1.0 + cos(u);
    return c > 0.0 ? exp(-threshold * threshold / c) : (threshold == 0.0 ? 1.0 : 0.0);
}

double crossing_loss_rate_exact(double threshold, double tick_correlation)
{
    enum { INTERVALS = 400 };
    double h = acos(tick_correlation) / INTERVALS;
    double sum = integrand(0.0, threshold) + integrand(h * INTERVALS, threshold);
    for (int i = 1; i < INTERVALS; i++) {
        sum += (i % 2 == 1 ? 4.0 : 2.0) * integrand(h * i, threshold);
    }
    return sum * h / 3.0 / TWO_PI / HIDDEN_STEP_S;
}

double crossing_loss_rate_when_up(double threshold, double tick_correlation)
{
    /* exp(-x^2/2) / Phi(x) = sqrt(2 pi) * phi(-x) / Q(-x), and phi/Q is the hazard function. */
    double share = acos(tick_correlation) / TWO_PI * sqrt(TWO_PI) * gsl_sf_hazard(-threshold);
    return fmin(share, 1.0) / HIDDEN_STEP_S;
}

struct crossing_fit crossing_fit_short_time(double threshold, double losses_per_s,
                                            double short_weight, double long_s)
{
    const double pi = TWO_PI / 2.0;
    struct crossing_fit fit = {0};
    fit.least_per_s = crossing_loss_rate(
        threshold, crossing_tick_correlation(short_weight, CROSSING_LONGEST_S, long_s));
    fit.most_per_s = crossing_loss_rate(
        threshold, crossing_tick_correlation(short_weight, CROSSING_SHORTEST_S, long_s));
    double angle = TWO_PI * losses_per_s * HIDDEN_STEP_S * exp(0.5 * threshold * threshold);
    double g = angle >= pi ? -1.0
                           : (cos(angle) - (1.0 - short_weight) * exp(-HIDDEN_STEP_S / long_s)) /
                                 short_weight;
    if (g <= exp(-HIDDEN_STEP_S / CROSSING_SHORTEST_S)) {
        fit.short_s = CROSSING_SHORTEST_S;
        fit.clipped = true;
    } else if (g >= exp(-HIDDEN_STEP_S / CROSSING_LONGEST_S)) {
        fit.short_s = CROSSING_LONGEST_S;
        fit.clipped = true;
    } else {
        fit.short_s = -HIDDEN_STEP_S / log(g);
    }
    return fit;
}
