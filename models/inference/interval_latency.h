/* SPDX-License-Identifier: GPL-3.0-or-later
 * Waits and latencies of a world in interval mode, collected as laws: how many requests were served
 * at once, how many waited for an exponential time of which rate, and how many waited in a backlog
 * for how long. Latencies are wait plus time of service, the two taken as independent; they are
 * made of it once, at the end. */
#ifndef FLEETCAST_MODELS_INTERVAL_LATENCY_H
#define FLEETCAST_MODELS_INTERVAL_LATENCY_H

#include "engine/distribution.h"
#include "engine/log_histogram.h"

/* Rates from 2^-24 to 2^24 per second, 16 bins an octave; each keeps its own mean wait. */
enum { INTERVAL_RATE_BINS = 48 * 16 };

struct interval_latency {
    double at_once;
    double weight[INTERVAL_RATE_BINS],
        wait_s[INTERVAL_RATE_BINS]; /* wait_s: weighted sum of 1/rate */
    struct log_histogram backlog;   /* waits */
};

void interval_latency_clear(struct interval_latency *l);
/* So many requests waited for an exponential time. rate > 0. */
void interval_latency_tail(struct interval_latency *l, double rate, double weight);

/* What becomes of it. */
struct interval_latency_result {
    double wait_sum_s, weight; /* exact but for rounding */
    double within_slo;         /* share of the weight with a latency of at most slo_s */
};

/* Fills histograms of waits and of latencies, which are cleared before. Waits beyond timeout_s do
 * not exist: the exponential laws are cut there (+infinity: never). points: values at the middles
 * of POINTS equal parts of the law of service times, rising; they are its quantiles. */
enum { INTERVAL_SERVICE_POINTS = 1024 };
struct interval_latency_result interval_latency_make(const struct interval_latency *l,
                                                     const struct distribution *service,
                                                     const double *points, double timeout_s,
                                                     double slo_s, struct log_histogram *wait,
                                                     struct log_histogram *latency);

/* Fills INTERVAL_SERVICE_POINTS of them. */
void interval_service_points(const struct distribution *service, double *points);
/* Squared coefficient of variation of a law of positive values; 0 where its mean is 0. */
double interval_variation(const struct distribution *service);

#endif
