/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_objective.h"

#include "engine/extremes.h"

#include <math.h>

enum { AN_OCTAVE = 16, FIRST_OCTAVE = -24 };

void interval_objective_begin(struct interval_objective *o, const struct distribution *service,
                              double timeout_s, double slo_s, bool stated)
{
    interval_service_points(service, o->points);
    o->stated = stated;
    o->slo_s = slo_s;
    o->timeout_s = timeout_s;
    o->at_once = interval_objective_after(o, 0);
    for (size_t i = 0; i <= INTERVAL_RATE_BINS; i++) {
        o->tail[i] = -1;
    }
}

double interval_objective_after(const struct interval_objective *o, double wait_s)
{
    const double x = o->slo_s - wait_s;
    size_t low = 0, high = INTERVAL_SERVICE_POINTS;
    if (!(x >= o->points[0])) {
        return 0;
    }
    while (low < high) { /* the first point above x */
        const size_t middle = (low + high) / 2;
        if (o->points[middle] > x) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low == INTERVAL_SERVICE_POINTS) {
        return 1; /* but for half a part */
    }
    const double step = o->points[low] - o->points[low - 1];
    const double part = step > 0 ? (x - o->points[low - 1]) / step : 0;
    return ((double)low - 0.5 + part) / INTERVAL_SERVICE_POINTS;
}

/* Exact in the wait, over every fourth point of the law of service. */
static double tail_of(const struct interval_objective *o, double rate)
{
    enum { EVERY = 4 };
    const double kept = -expm1(-rate * o->timeout_s);
    double sum = 0;
    for (size_t i = EVERY / 2; i < INTERVAL_SERVICE_POINTS; i += EVERY) {
        const double left_s = o->slo_s - 0.5 * (o->points[i - 1] + o->points[i]);
        if (left_s <= 0) {
            break; /* they rise */
        }
        sum += -expm1(-rate * double_min(left_s, o->timeout_s));
    }
    return kept > 0 ? double_min(1, sum * EVERY / INTERVAL_SERVICE_POINTS / kept) : 0;
}

static double at_edge(struct interval_objective *o, size_t i)
{
    if (o->tail[i] < 0) {
        const int octave = FIRST_OCTAVE + (int)i / AN_OCTAVE;
        o->tail[i] = tail_of(o, ldexp(1 + (double)(i % AN_OCTAVE) / AN_OCTAVE, octave));
    }
    return o->tail[i];
}

double interval_objective_tail(struct interval_objective *o, double rate)
{
    int exponent;
    const double part = 2 * frexp(rate, &exponent) - 1; /* of the octave from 2^(exponent - 1) */
    const double at = AN_OCTAVE * (exponent - 1 - FIRST_OCTAVE + part);
    if (!(at > 0)) {
        return at_edge(o, 0);
    }
    if (at >= INTERVAL_RATE_BINS) {
        return at_edge(o, INTERVAL_RATE_BINS);
    }
    const size_t i = (size_t)at;
    const double share = at - (double)i;
    return (1 - share) * at_edge(o, i) + share * at_edge(o, i + 1);
}
