/* SPDX-License-Identifier: GPL-3.0-or-later
 * How services fare hour by hour in one world: what ended, within the objective or not, and which
 * hours were overloaded; summed by bucket of the horizon, and by hour of the week. NULL where
 * nobody asks. Whoever runs a service tells each hour when it is over. */
#ifndef FLEETCAST_MODELS_HOUR_LOG_H
#define FLEETCAST_MODELS_HOUR_LOG_H

#include <stddef.h>
#include <stdint.h>

enum { HOUR_LOG_WEEK = 168 };

/* Of one hour, or sums over several. */
struct hour_sum {
    double ended, within;       /* requests: of those that ended, however, those within */
    uint32_t hours, overloaded; /* in which the service ran; of them overloaded ones */
    uint32_t judged, met;       /* those of which the share within is known; that met the target */
};

/* Share of the requests that ended which were within the objective. Where none ended, but more came
 * than could be served, 0; else NaN. */
double hour_sum_attained(const struct hour_sum *sum);

struct hour_log;
/* Buckets of bucket_s, a whole number of hours, from the scenario's start. NULL when out of memory.
 * The caller frees. */
struct hour_log *hour_log_new(size_t workloads, size_t buckets, double bucket_s,
                              int64_t start_unix_s);
void hour_log_free(struct hour_log *log);
void hour_log_clear(struct hour_log *log);
/* The hour that begins so long after the scenario's start. What lies behind the last bucket is left
 * out; nothing is done when log is NULL. */
void hour_log_put(struct hour_log *log, size_t workload, double from_s,
                  const struct hour_sum *hour);

const struct hour_sum *hour_log_buckets(const struct hour_log *log, size_t workload);
/* HOUR_LOG_WEEK of them, from Monday 00:00 UTC; an hour that does not begin on the clock's counts
 * by its middle. */
const struct hour_sum *hour_log_week(const struct hour_log *log, size_t workload);

#endif
