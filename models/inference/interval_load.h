/* SPDX-License-Identifier: GPL-3.0-or-later
 * The offered load of a service over time steps: how many requests would be in service at once if
 * nobody had to wait. In a system with as many servers as requests (M/G/infinity, G/G/infinity) it
 * varies about a = lambda · s with variance a · z and correlation exp(-t / tau), which is taken for
 * an Ornstein-Uhlenbeck process; its value at the end of a step and its mean over the step are
 * drawn together (their exact joint normal law; Gillespie, "Exact numerical simulation of the
 * Ornstein-Uhlenbeck process and its integral", Phys. Rev. E 54, 1996):
 *
 *   x' = a + (x - a) e + sqrt(a z (1 - e^2)) z1
 *   y  = a + h (x - a) + sqrt(a z) (c1 z1 + c2 z2)
 *
 * with e = exp(-step / tau), h = (1 - e) tau / step, c1 = h (1 - e) / sqrt(1 - e^2) and
 * c2^2 = (2 tau / step)(1 - (tau / step)(1 - e)) - h^2 - c1^2. tau is the mean residual time of
 * service, s (1 + cs^2) / 2; z the peakedness of arrivals of variation ca, 1 + (ca^2 - 1) / 2
 * (Whitt, "Heavy-traffic approximations for service systems with blocking", AT&T Bell Labs Tech. J.
 * 63, 1984, for exponential service). */
#ifndef FLEETCAST_MODELS_INTERVAL_LOAD_H
#define FLEETCAST_MODELS_INTERVAL_LOAD_H

/* For one length of a step. */
struct interval_load_step {
    double step_s, tau_s;
    double keeps, mean_keeps;     /* e, h */
    double end_1, mean_1, mean_2; /* what z1 and z2 are multiplied by */
    double mean_sd;               /* of the mean of a stationary process of variance 1 */
};

/* step_s > 0, tau_s >= 0. */
struct interval_load_step interval_load_step(double step_s, double tau_s);

struct interval_load {
    double end, mean; /* x' and y, never below 0 */
};

/* From x at the begin of a step in which the load is `a` on average; z1 and z2 standard normal. */
struct interval_load interval_load_next(const struct interval_load_step *step, double x, double a,
                                        double peakedness, double z1, double z2);

#endif
