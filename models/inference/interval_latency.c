/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_latency.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BITS_OF_BIN = 4, FIRST_OCTAVE = -24 };

void interval_latency_clear(struct interval_latency *l)
{
    memset(l, 0, sizeof *l);
}

/* By the upper bits of the number, as a logarithm does it in steps. */
static size_t bin_of(double rate)
{
    const int64_t first = (int64_t)(FIRST_OCTAVE + 1023) << BITS_OF_BIN;
    int64_t bits;
    memcpy(&bits, &rate, sizeof bits);
    int64_t bin = (bits >> (52 - BITS_OF_BIN)) - first;
    return bin < 0 ? 0 : bin < INTERVAL_RATE_BINS ? (size_t)bin : INTERVAL_RATE_BINS - 1;
}

void interval_latency_tail(struct interval_latency *l, double rate, double weight)
{
    size_t bin = bin_of(rate);
    l->weight[bin] += weight;
    l->wait_s[bin] += weight / rate;
}

/* ---- service times ---- */

void interval_service_points(const struct distribution *service, double *points)
{
    for (size_t i = 0; i < INTERVAL_SERVICE_POINTS; i++) {
        double u = ((double)i + 0.5) / INTERVAL_SERVICE_POINTS;
        points[i] = fmax(0, distribution_quantile(service, u));
    }
}

/* Over the standard normal distribution, in which tails are smooth. */
double interval_variation(const struct distribution *service)
{
    enum { STEPS = 400 };
    const double end = 8;
    double weights = 0, mean = 0, square = 0;
    if (service->family == DISTRIBUTION_CONSTANT) {
        return 0;
    }
    if (service->family == DISTRIBUTION_EMPIRICAL) {
        enum { PARTS = 4000 };
        for (int i = 0; i < PARTS; i++) {
            double x = fmax(0, distribution_quantile(service, (i + 0.5) / PARTS));
            mean += x / PARTS;
            square += x * x / PARTS;
        }
        return mean > 0 ? fmax(0, square / (mean * mean) - 1) : 0;
    }
    for (int i = 0; i <= STEPS; i++) {
        double z = end * (2.0 * i / STEPS - 1), weight = gsl_ran_ugaussian_pdf(z);
        double x = fmax(0, distribution_quantile(service, gsl_cdf_ugaussian_P(z)));
        weights += weight;
        mean += weight * x;
        square += weight * x * x;
    }
    return mean > 0 ? fmax(0, square * weights / (mean * mean) - 1) : 0;
}

/* P(S <= x), along lines between the points. */
static double served_within(const struct distribution *service, const double *points, double x)
{
    if (x < 0) {
        return 0;
    }
    size_t low = 0, high = INTERVAL_SERVICE_POINTS;
    while (low < high) { /* the first point above x */
        size_t middle = (low + high) / 2;
        *(points[middle] > x ? &high : &low) = points[middle] > x ? middle : middle + 1;
    }
    if (low == INTERVAL_SERVICE_POINTS || low == 0) {
        /* In a tail: by halving. */
        double from = low == 0 ? 0 : 1 - 0.5 / INTERVAL_SERVICE_POINTS;
        double to = low == 0 ? 0.5 / INTERVAL_SERVICE_POINTS : 1;
        for (int i = 0; i < 30; i++) {
            double u = 0.5 * (from + to);
            *(fmax(0, distribution_quantile(service, u)) > x ? &to : &from) = u;
        }
        return low == 0 && distribution_quantile(service, 1e-9) > x ? 0 : 0.5 * (from + to);
    }
    double step = points[low] - points[low - 1];
    double part = step > 0 ? (x - points[low - 1]) / step : 0;
    return ((double)low - 0.5 + part) / INTERVAL_SERVICE_POINTS;
}

/* ---- all of it ---- */

static void add_tails(const struct interval_latency *l, double timeout_s,
                      struct log_histogram *wait)
{
    enum { PARTS = 64 };
    double part[PARTS]; /* quantiles of the exponential law, when nothing is cut */
    for (int i = 0; i < PARTS; i++) {
        part[i] = -log1p(-(i + 0.5) / PARTS);
    }
    for (size_t bin = 0; bin < INTERVAL_RATE_BINS; bin++) {
        double weight = l->weight[bin];
        if (!(weight > 0)) {
            continue;
        }
        double mean_s = l->wait_s[bin] / weight, kept = -expm1(-timeout_s / mean_s);
        for (int i = 0; i < PARTS; i++) {
            double x = kept == 1 ? part[i] : -log1p(-kept * (i + 0.5) / PARTS);
            log_histogram_add(wait, mean_s * x, weight / PARTS);
        }
    }
}

static double tail_wait_s(const struct interval_latency *l, double timeout_s)
{
    double sum = 0;
    for (size_t bin = 0; bin < INTERVAL_RATE_BINS; bin++) {
        double weight = l->weight[bin];
        if (!(weight > 0)) {
            continue;
        }
        double mean_s = l->wait_s[bin] / weight, r = timeout_s / mean_s;
        /* Mean of an exponential law cut at the timeout. */
        sum += weight * (r > 700 ? mean_s : mean_s - timeout_s / expm1(r));
    }
    return sum;
}

/* All waits of one size meet all times of service. */
static void add_latencies(struct log_histogram *latency, const double *points, size_t every,
                          double wait_s, double weight)
{
    size_t parts = INTERVAL_SERVICE_POINTS / every;
    for (size_t i = every / 2; i < INTERVAL_SERVICE_POINTS; i += every) {
        double x = every == 1 ? points[i] : 0.5 * (points[i - 1] + points[i]);
        log_histogram_add(latency, wait_s + x, weight / (double)parts);
    }
}

struct interval_latency_result interval_latency_make(const struct interval_latency *l,
                                                     const struct distribution *service,
                                                     const double *points, double timeout_s,
                                                     double slo_s, struct log_histogram *wait,
                                                     struct log_histogram *latency)
{
    enum { EVERY = 16 }; /* of the points: 64 parts */
    log_histogram_clear(latency);
    *wait = l->backlog;
    if (l->at_once > 0) {
        log_histogram_add(wait, 0, l->at_once);
    }
    add_tails(l, timeout_s, wait);
    struct interval_latency_result r = {
        .wait_sum_s = l->backlog.sum + tail_wait_s(l, timeout_s),
        .weight = wait->weight,
    };
    wait->sum = r.wait_sum_s;
    double within = 0;
    if (wait->zero > 0) {
        add_latencies(latency, points, 1, 0, wait->zero);
        within += wait->zero * served_within(service, points, slo_s);
    }
    for (size_t bin = 0; bin < LOG_HISTOGRAM_BINS; bin++) {
        double weight = wait->bins[bin];
        if (weight > 0) {
            double wait_s = log_histogram_middle(bin);
            add_latencies(latency, points, EVERY, wait_s, weight);
            within += weight * served_within(service, points, slo_s - wait_s);
        }
    }
    r.within_slo = r.weight > 0 ? within / r.weight : (double)NAN;
    return r;
}
