/* SPDX-License-Identifier: GPL-3.0-or-later
 * How services fare hour by hour over all worlds of a run, in memory that does not grow with them:
 * of each bucket of the horizon, and each hour of the week, a histogram over worlds of the share of
 * requests within the objective. Only whole numbers are added up, so that the order of worlds, and
 * the number of threads, do not matter. */
#ifndef FLEETCAST_SCENARIOS_HOUR_RESULTS_H
#define FLEETCAST_SCENARIOS_HOUR_RESULTS_H

#include "models/fleet/hour_log.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOUR_RESULTS_MAX_BUCKETS 400

/* Shares below 99 % by 0.2 points, above by 2.5 % of what misses the objective, down to a millionth
 * of it. */
enum { HOUR_SHARE_LINEAR = 495, HOUR_SHARE_LOG = 374 };
enum { HOUR_SHARE_BINS = HOUR_SHARE_LINEAR + HOUR_SHARE_LOG + 1 };

/* Of one bucket, over worlds. */
struct hour_cell {
    uint64_t worlds; /* in which the share is known */
    uint64_t sum;    /* of it, in parts of 2^-32 */
    uint64_t hours, overloaded, judged, met;
    uint64_t ended;    /* requests, in thousandths */
    float least, most; /* of the share */
    uint32_t bins[HOUR_SHARE_BINS];
};

struct hour_results {
    bool any; /* there is a service */
    size_t strategies, workloads, buckets;
    double bucket_s, horizon_s;
    int64_t start_unix_s;
    struct hour_cell *
        *cells; /* by strategy and workload: buckets, then the week; NULL: no service */
};

/* Bytes that it takes for so many services, over strategies. */
double hour_results_bytes(size_t services, double horizon_s);
/* False when out of memory; hour_results_release is due either way. */
bool hour_results_init(struct hour_results *r, const struct study *study);
void hour_results_release(struct hour_results *r);
/* For one thread's worlds; the caller frees. NULL when out of memory. */
struct hour_log *hour_results_log(const struct hour_results *r);
/* One world under one strategy. For one thread at a time. */
void hour_results_add(struct hour_results *r, size_t strategy, const struct hour_log *log);

/* NULL: no service. buckets, then HOUR_LOG_WEEK. */
const struct hour_cell *hour_results_cells(const struct hour_results *r, size_t strategy,
                                           size_t workload);
double hour_cell_mean(const struct hour_cell *c);
/* The least share that is reached or undercut in a share p of the worlds: the middle of its bin,
 * within what was seen. NaN: known of none. */
double hour_cell_quantile(const struct hour_cell *c, double p);

#endif
