/* SPDX-License-Identifier: GPL-3.0-or-later
 * How services fare from bucket to bucket of time: what came, what became of it, what stood ready.
 * NULL in every ordinary run, as the trail; kept of plan worlds for services.csv. Whoever runs a
 * service tells it of stretches of time and of requests, in time's order; counts and weights may be
 * fractions, for services that are simulated as a flow. */
#ifndef FLEETCAST_MODELS_SERVICE_LOG_H
#define FLEETCAST_MODELS_SERVICE_LOG_H

#include "engine/log_histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum service_event {
    SERVICE_ARRIVED,
    SERVICE_RETRIED, /* sent again */
    SERVICE_SERVED,
    SERVICE_WITHIN, /* of those served: within the objective */
    SERVICE_DROPPED,
    SERVICE_TIMED_OUT,
    SERVICE_LOST,
    SERVICE_REJECTED,      /* no replica could ever serve it, or it was not let in */
    SERVICE_PROMPT_TOKENS, /* of those served, of a language model … */
    SERVICE_OUTPUT_TOKENS, /* … likewise */
    SERVICE_EVENTS
};

/* What is measured of requests that are served. */
enum service_measure {
    SERVICE_LATENCY,
    SERVICE_TTFT, /* of a language model: to the first token … */
    SERVICE_TPOT, /* … and from token to token after it, of those that have more than one */
    SERVICE_MEASURES
};
enum { SERVICE_QUANTILES = 4 }; /* P50, P90, P95, P99 */

/* A stretch in which nothing of this changes. */
struct service_span {
    double from_s, to_s;
    double ready, asked; /* replicas */
    double serving;      /* those that are ready, and those that drain and have something to do */
    double busy;         /* of the serving ones, each by the share of its slots */
    double active;       /* of them: those that have something to do; NaN: not known */
    double held;         /* share of their accelerators' memory that weights take, summed over them;
                            NaN: not known */
    double waiting;      /* requests */
    double capacity;     /* requests/s that what is ready serves at most; NaN: not known */
};

enum { SERVICE_BUCKET_PARTS = 4 };

/* All zero where the service did not run. */
struct service_bucket {
    double count[SERVICE_EVENTS]; /* of this bucket: by the moment at which it happened */
    double span_s;                /* in which the service ran */
    double ready_s, asked_s, busy_s, waiting_s; /* integrals over it */
    double serving_s, active_s;                 /* likewise */
    double cache_s,
        memory_s;       /* likewise of shares: of the key-value cache in use, and of memory
                           that weights and what of the cache is in use take; NaN: not known */
    double could_serve; /* requests: the integral of the capacity */
    double part_s[SERVICE_BUCKET_PARTS];         /* the same of each quarter: time … */
    double part_waiting_s[SERVICE_BUCKET_PARTS]; /* … and requests that waited */
    bool burst; /* more came for a while than could be served; once the log is closed */
    /* Of what was served in it; NaN: nothing was. */
    double quantile_s[SERVICE_MEASURES][SERVICE_QUANTILES];
};

/* True when the service could not follow: more came (what was sent again included) than what was
 * ready could serve, over all of the bucket, or for a part of it (minute by minute what comes flows
 * into a backlog, and what could be served, or gives up, out of it; a burst is where it holds more
 * than three standard deviations of the number that came since it was empty); or the queue grew
 * from quarter to quarter by more than that of the bucket. What is served meanwhile, and how fast,
 * is no steady state. */
bool service_bucket_overloaded(const struct service_bucket *b);

/* The backlog of that fluid, and what came since it was empty. */
struct service_fluid {
    double backlog, since;
};
/* Another minute; could: be served, or gave up (NaN: not known). True: it holds a burst. */
static inline bool service_fluid_minute(struct service_fluid *f, double came, double could)
{
    const double held = f->backlog + came - could;
    if (!(held > 0)) { /* what could be served may be unknown, too */
        f->backlog = f->since = 0;
        return false;
    }
    f->backlog = held;
    f->since += came;
    return held > 3 * sqrt(f->since);
}

struct service_log;
/* Buckets of bucket_s from the scenario's start, for each of so many workloads. NULL when out of
 * memory. The caller frees. */
struct service_log *service_log_new(size_t workloads, size_t buckets, double bucket_s);
void service_log_free(struct service_log *log);
void service_log_clear(struct service_log *log);

/* What is asked of a service in this world; +infinity: nothing of that kind. */
struct service_goal {
    bool stated; /* any of these */
    double within_s[SERVICE_MEASURES];
    bool speaks;            /* a language model: tokens are counted */
    double measured_from_s; /* what comes before is told, but not judged */
};

/* The workload is a service. These do nothing when log is NULL. What lies behind the last bucket is
 * left out. */
void service_log_begin(struct service_log *log, size_t workload, const struct service_goal *goal);
void service_log_span(struct service_log *log, size_t workload, const struct service_span *span);
/* So many at this moment. */
void service_log_count(struct service_log *log, size_t workload, double at_s,
                       enum service_event event, double number);
/* So many came, or came again, evenly over this stretch, or at one moment: what overload is told
 * by. service_log_count tells of them too. */
void service_log_came(struct service_log *log, size_t workload, double from_s, double to_s,
                      double number);
/* Likewise so many left the queue without having been served. */
void service_log_left(struct service_log *log, size_t workload, double from_s, double to_s,
                      double number);
/* Of so many that are served at this moment. */
void service_log_value(struct service_log *log, size_t workload, double at_s,
                       enum service_measure measure, double value_s, double weight);
/* Of all that this histogram holds, at this moment. */
void service_log_values(struct service_log *log, size_t workload, double at_s,
                        enum service_measure measure, const struct log_histogram *values);
/* Over this stretch, which may lie before what was told last, so much of the key-value cache of one
 * replica was in use (an integral of its share), and so much of its accelerators' memory by that.
 */
void service_log_cache(struct service_log *log, size_t workload, double from_s, double to_s,
                       double cache_s, double memory_s);
bool service_log_same_bucket(const struct service_log *log, double a_s, double b_s);
/* After the last. */
void service_log_close(struct service_log *log);

/* NULL: the workload is no service. */
const struct service_bucket *service_log_buckets(const struct service_log *log, size_t workload);
const struct service_goal *service_log_goal(const struct service_log *log, size_t workload);

#endif
