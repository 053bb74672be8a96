/* SPDX-License-Identifier: GPL-3.0-or-later
 * Monitoring between a service and its autoscalers: datapoints are made at a period, are visible
 * some time after their end, and are not exact. Without any of it an autoscaler sees, at each look
 * of its own, exactly what was since it looked last. */
#ifndef FLEETCAST_MODELS_METRIC_FEED_H
#define FLEETCAST_MODELS_METRIC_FEED_H

#include "engine/random.h"
#include "models/autoscaling/autoscaler.h"

#include <stdbool.h>
#include <stdint.h>

/* `monitoring: {period: 1min, delay: 2min, noise: 5 %}` */
struct monitoring_spec {
    struct number period; /* seconds; absent: as often as the autoscaler looks */
    struct number delay;  /* seconds */
    struct number noise;  /* standard deviation over the true value */
};
extern const struct schema monitoring_schema;

/* One datapoint. */
struct metric_point {
    double at_s; /* its end */
    double ready;
    struct scaling_reading readings[SCALING_METRIC_COUNT];
};

/* What one autoscaler will see, in the order in which it was measured. */
struct metric_feed {
    /* private */
    double delay_s, noise;
    struct random_world world;
    uint64_t source;
    uint32_t made; /* datapoints so far */
    struct metric_point *points;
    uint32_t first, count, capacity; /* a ring: those not shown yet */
    struct metric_point last;        /* as shown last */
    bool any;
};

/* Zeroed memory is a feed that has not begun. For a new world: source names the noise. */
void metric_feed_begin(struct metric_feed *f, struct random_world world, uint64_t source,
                       double delay_s, double noise);
void metric_feed_release(struct metric_feed *f);

/* A datapoint is made, now. Its noise is a factor for each metric, lognormal with mean 1, of the
 * datapoint's number in the world; no more than all of a replica is busy. False when memory is out.
 */
bool metric_feed_add(struct metric_feed *f, const struct metric_point *point);

/* What an autoscaler that looks now sees: the mean of the datapoints that have become visible since
 * it looked last; when none has, what it saw then, marked as repeated; nothing known before the
 * first. */
void metric_feed_show(struct metric_feed *f, struct autoscaler_view *view);

#endif
