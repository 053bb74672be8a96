/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a service is scaled by: the metrics that monitoring shows, and a target for one of them as
 * a scenario states it (`utilisation: 60 %`). */
#ifndef FLEETCAST_MODELS_SCALING_METRIC_H
#define FLEETCAST_MODELS_SCALING_METRIC_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scaling_metric {
    SCALING_UTILISATION,                   /* busy share of a replica */
    SCALING_CONCURRENCY,                   /* requests in a replica, served or waiting there */
    SCALING_REQUESTS,                      /* arrivals, per second */
    SCALING_QUEUE,                         /* requests that wait */
    SCALING_LATENCY,                       /* seconds, of requests that were served */
    SCALING_TARGET_COUNT,                  /* those before may be aimed at */
    SCALING_INSIDE = SCALING_TARGET_COUNT, /* requests that wait or are worked on, at that moment */
    SCALING_METRIC_COUNT
};

/* One metric as it was last published. Of LATENCY, which does not add up, the total is the latency
 * times the replicas that are ready. */
struct scaling_reading {
    bool known;      /* false: there is no datapoint */
    double total;    /* over all replicas that were ready; their mean is this over their number */
    double of_ready; /* that number, where it is not of now, on average over the datapoint where it
                        changed; 0: those ready now */
    bool repeated;   /* who looks has seen it before */
};

/* What the total would be of so many replicas that are each as loaded as those it was measured of:
 * what a controller that knows a mean alone makes of it. */
static inline double scaling_reading_total(const struct scaling_reading *r, uint32_t ready)
{
    return r->of_ready > 0 ? r->total / r->of_ready * ready : r->total;
}

/* A target a replica; exactly one of them is given, see scaling_target_check. */
struct scaling_target {
    struct number of[SCALING_TARGET_COUNT];
};

/* The five keys of a target, for a table of keys. what: words that finish "<metric>, …", such as
 * "that is aimed at". */
#define SCALING_TARGET_KEY(type, field, index, key_name, key_dimension, highest, words)            \
    {                                                                                              \
        .name = (key_name), .kind = SCHEMA_NUMBER, .dimension = (key_dimension), .low = 1e-9,      \
        .high = (highest), .offset = offsetof(type, field) + (index) * sizeof(struct number),      \
        .help = (words)                                                                            \
    }
#define SCALING_TARGET_KEYS(type, field)                                                           \
    SCALING_TARGET_KEY(type, field, SCALING_UTILISATION, "utilisation", DIMENSION_SHARE, 1.0,      \
                       "Target: busy share of a replica."),                                        \
        SCALING_TARGET_KEY(type, field, SCALING_CONCURRENCY, "concurrency", DIMENSION_COUNT, 1e6,  \
                           "Target: requests in a replica, served or waiting there."),             \
        SCALING_TARGET_KEY(type, field, SCALING_REQUESTS, "requests", DIMENSION_RATE, 1e9,         \
                           "Target: arrivals a replica."),                                         \
        SCALING_TARGET_KEY(type, field, SCALING_QUEUE, "queue", DIMENSION_COUNT, 1e9,              \
                           "Target: waiting requests a replica."),                                 \
        SCALING_TARGET_KEY(type, field, SCALING_LATENCY, "latency", DIMENSION_TIME, 1e6,           \
                           "Target: mean latency of requests.")

/* How many metrics have a target. */
size_t scaling_target_count(const struct scaling_target *t);
/* The first with a target; SCALING_TARGET_COUNT when none has. */
enum scaling_metric scaling_target_metric(const struct scaling_target *t);
/* Exactly one target is given; else a sentence for `who`. */
bool scaling_target_check(const struct scaling_target *t, const char *who, char *message,
                          size_t size);
/* NaN: none is given, or can be. */
double scaling_target_of(const struct scaling_target *t, enum scaling_metric metric);
/* As users write it: "utilisation". */
const char *scaling_metric_name(enum scaling_metric metric);

#endif
