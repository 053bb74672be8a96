/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reference job by which capacity models are judged: so much work on one pool of spot nodes,
 * from every starting point of an observed series that is closed to a ring, so that nothing is
 * censored. The job waits while the pool is down, pays an overhead in full at every start, keeps
 * what it did on a loss, and counts its time from its arrival. Means hardly tell models apart on
 * it; the 90th percentile and the spread do (docs/models.md, "Market"). */
#ifndef FLEETCAST_MODELS_RING_JOB_H
#define FLEETCAST_MODELS_RING_JOB_H

#include <stdbool.h>
#include <stddef.h>

/* When a pool was up: stretches [from, to), rising, apart, inside [0, length). */
struct up_span {
    double from_s, to_s;
};
struct up_series {
    struct up_span *spans;
    size_t count;
    double length_s;
};

struct ring_times {
    double mean_s, sd_s, p90_s; /* of the time to finish; population sd, P90 as everywhere */
    size_t starts;
};

enum ring_status {
    RING_FINISHED,
    RING_NEVER, /* no stretch of the ring is longer than the overhead */
    RING_NO_MEMORY
};

/* Starts at 0, every_s, 2 every_s, … below the length. work > 0, overhead >= 0. */
enum ring_status ring_job(const struct up_series *s, double work_s, double overhead_s,
                          double every_s, struct ring_times *out);

#endif
