/* SPDX-License-Identifier: GPL-3.0-or-later
 * How requests wait in a queue that is limited, by their number or by the time that they wait: for
 * steps of the interval mode in which a limit is near, at any load, also above 1.
 *
 * With b = B / (1 - B), B Erlang's formula for c servers and the load a = rho c, and with the
 * probability that fewer than c are busy as unit,
 *
 *   M/M/c+D   waits have the density b (c / s) exp(-theta w) up to D, theta = (c / s)(1 - rho);
 *             b exp(-theta D) wait in vain (Baccelli and Hebuterne, "On queues with impatient
 *             customers", Performance '81; their formula for constant patience)
 *   M/M/c/K   b rho^j find j waiting; b rho^K find K, and are dropped; behind j it takes j + 1
 *             services until one is served
 *
 * Other variations of arrivals and service scale theta, and the logarithm of rho, by 1 / v, v the
 * factor of the mean wait of an unlimited queue, as interval_waits.h has it; above rho = 1 theta is
 * minus Lundberg's exponent (queue_limits_wall). The time that n services of c servers take has the
 * variance f (s / c)^2, f the variance of the number that c renewal processes count while it is n
 * on average: n when exponential, cs^2 n + c (1 - cs^2) / 6 for many services of less variation
 * (Cox, "Renewal Theory", 1962, 4.5, without the third moment).
 *
 * The number that waits has the drift (rho - 1) and the variance 2 v a service; between two limits
 * room_s apart its slowest mode decays with 2 room_s^2 / (pi^2 2 v s / c) (reflected Brownian
 * motion). Where that is shorter than a step, the laws above hold in each step. */
#ifndef FLEETCAST_MODELS_QUEUE_LIMITS_H
#define FLEETCAST_MODELS_QUEUE_LIMITS_H

#include "models/inference/interval_waits.h"

#include <stdbool.h>

/* Whether a limit cuts anything off waits of a calm queue with that theta. */
bool queue_limits_near(const struct interval_queue *q, double theta);
/* Whether the queue is in equilibrium within a step. */
bool queue_limits_steady(const struct interval_queue *q, double variation);
/* The shares, and their law. odds: b. */
void queue_limits_apply(struct interval_waits *w, const struct interval_queue *q, double variation,
                        double rho, double odds);

/* Waits of those that wait and are served, equally likely each: of any law. shift in [0, 1) moves
 * them all within their parts. */
enum { QUEUE_LIMITS_POINTS = 16 };
void queue_limits_points(const struct interval_waits *w, double shift,
                         double points[QUEUE_LIMITS_POINTS]);
/* One of them, at u in (0, 1). */
double queue_limits_point(const struct interval_waits *w, double u);

/* Above a load of 1 the queue presses against its limit, and the distance from it is exponential
 * with a rate eta, in 1/s of wait: the root > 0 of E exp(eta A) E exp(-eta B) = 1, with A the time
 * between arrivals, and B that between services of all servers, both taken for gamma (Lundberg's
 * exponent: Asmussen, "Applied Probability and Queues", 2003, XIII.5). lambda - c / s for M/M/c+D
 * and M/M/c/K, where it is exact. 0 where served >= came. */
double queue_limits_wall(double came, double served, double ca2, double cs2);
/* Variance of the number of services while c servers end n on average. */
double queue_limits_variance(double servers, double cs2, double n);

#endif
