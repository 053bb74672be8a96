/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a stationary Gaussian process on a grid of 10 minutes leaves the region below a
 * threshold. With rho the correlation of neighbouring ticks, the pair (Z_i, Z_i+1) is bivariate
 * normal and the share of ticks that end an up run is
 *
 *     P(Z_i < x, Z_i+1 >= x) = 1/(2 pi) * integral over u from 0 to arccos(rho) of
 *                              exp(-x^2 / (1 + cos u)) du
 *
 * (Sheppard 1899 for x = 0; Owen 1956, "Tables for computing bivariate normal probabilities", by
 * differentiating in rho). Its first-order form arccos(rho)/(2 pi) * exp(-x^2/2) can be solved for
 * rho, hence for the short relaxation time, which is how a stated loss rate is met: within 2 % for
 * relaxation times from 2 h and availabilities up to 0.99; 4.5 % high at 0.99 and 0.8 h. */
#ifndef FLEETCAST_MODELS_CROSSING_H
#define FLEETCAST_MODELS_CROSSING_H

#include <stdbool.h>

/* Limits of a short relaxation time that a stated loss rate may ask for. */
#define CROSSING_SHORTEST_S (0.1 * 3600.0)
#define CROSSING_LONGEST_S  (24.0 * 3600.0)

/* Correlation of neighbouring ticks of sqrt(w) X1 + sqrt(1 - w) X2; relaxation times > 0. */
double crossing_tick_correlation(double short_weight, double short_s, double long_s);

/* Losses per second of the calendar, first-order form. */
double crossing_loss_rate(double threshold, double tick_correlation);
/* The same by the exact integral (Simpson, 400 intervals). */
double crossing_loss_rate_exact(double threshold, double tick_correlation);
/* First-order losses per second of *up* time: the rate above over Phi(threshold), finite for every
 * threshold (through the normal hazard function, where both would underflow). */
double crossing_loss_rate_when_up(double threshold, double tick_correlation);

struct crossing_fit {
    double short_s;                 /* the short relaxation time that gives the stated rate */
    bool clipped;                   /* no such time within the limits: the nearer limit was taken */
    double least_per_s, most_per_s; /* rates at the limits */
};
/* short_weight in (0, 1], losses_per_s >= 0. */
struct crossing_fit crossing_fit_short_time(double threshold, double losses_per_s,
                                            double short_weight, double long_s);

#endif
