/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of a service in steps of time: the share of requests that is within the objective of latency,
 * stretch by stretch, for what is told hour by hour. Latencies are wait plus time of service, as in
 * interval_latency.h, of which the sums over the whole world are made at its end. */
#ifndef FLEETCAST_MODELS_INTERVAL_OBJECTIVE_H
#define FLEETCAST_MODELS_INTERVAL_OBJECTIVE_H

#include "models/inference/interval_latency.h"

#include <stdbool.h>

/* Of one world. */
struct interval_objective {
    bool stated; /* else nothing is asked of it but the points */
    double slo_s, timeout_s, at_once;
    double points[INTERVAL_SERVICE_POINTS]; /* of the law of service times */
    double tail[INTERVAL_RATE_BINS + 1];    /* at the edges of bins of rates; below 0: not made */
};

/* timeout_s: +infinity for never. */
void interval_objective_begin(struct interval_objective *o, const struct distribution *service,
                              double timeout_s, double slo_s, bool stated);
/* P(wait_s + S <= slo), to a part in 2,000. */
double interval_objective_after(const struct interval_objective *o, double wait_s);
/* P(W + S <= slo), W exponential and cut at the timeout; along a line between edges. rate > 0. */
double interval_objective_tail(struct interval_objective *o, double rate);

#endif
