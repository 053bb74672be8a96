/* SPDX-License-Identifier: GPL-3.0-or-later
 * How services fare from bucket to bucket of time: what came, what became of it, what stood ready.
 * NULL in every ordinary run, as the trail; kept of plan worlds for services.csv. Whoever runs a
 * service tells it of stretches of time and of requests, in time's order; counts and weights may be
 * fractions, for services that are simulated as a flow. */
#ifndef FLEETCAST_MODELS_SERVICE_LOG_H
#define FLEETCAST_MODELS_SERVICE_LOG_H

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
    SERVICE_REJECTED, /* no replica could ever serve it */
    SERVICE_EVENTS
};

/* A stretch in which nothing of this changes. */
struct service_span {
    double from_s, to_s;
    double ready, asked; /* replicas */
    double busy;         /* of the ready ones, each by the share of its slots */
    double waiting;      /* requests */
    double capacity;     /* requests/s that what is ready serves at most; NaN: not known */
};

enum { SERVICE_BUCKET_PARTS = 4 };

/* All zero where the service did not run. */
struct service_bucket {
    double count[SERVICE_EVENTS]; /* of this bucket: by the moment at which it happened */
    double span_s;                /* in which the service ran */
    double ready_s, asked_s, busy_s, waiting_s;  /* integrals over it */
    double could_serve;                          /* requests: the integral of the capacity */
    double part_s[SERVICE_BUCKET_PARTS];         /* the same of each quarter: time … */
    double part_waiting_s[SERVICE_BUCKET_PARTS]; /* … and requests that waited */
    double latency_p50_s, latency_p95_s;         /* of what was served in it; NaN: nothing was */
};

/* True when the service could not follow: more came (what was sent again included) than what was
 * ready could serve, or the queue grew from quarter to quarter by more than three standard
 * deviations of the number that came. What is served meanwhile, and how fast, is no steady state.
 */
bool service_bucket_overloaded(const struct service_bucket *b);

struct service_log;
/* Buckets of bucket_s from the scenario's start, for each of so many workloads. NULL when out of
 * memory. The caller frees. */
struct service_log *service_log_new(size_t workloads, size_t buckets, double bucket_s);
void service_log_free(struct service_log *log);
void service_log_clear(struct service_log *log);

/* The workload is a service; has_slo: it has an objective, of which this is that of latency in this
 * world (+infinity: none). These do nothing when log is NULL. What lies behind the last bucket is
 * left out. */
void service_log_begin(struct service_log *log, size_t workload, bool has_slo, double slo_s);
void service_log_span(struct service_log *log, size_t workload, const struct service_span *span);
/* So many at this moment. */
void service_log_count(struct service_log *log, size_t workload, double at_s,
                       enum service_event event, double number);
/* Latency of so many that are served at this moment. */
void service_log_latency(struct service_log *log, size_t workload, double at_s, double latency_s,
                         double weight);
/* After the last. */
void service_log_close(struct service_log *log);

/* NULL: the workload is no service. */
const struct service_bucket *service_log_buckets(const struct service_log *log, size_t workload);
bool service_log_has_slo(const struct service_log *log, size_t workload);
double service_log_slo_s(const struct service_log *log, size_t workload);

#endif
