/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spend and nodes over time: at most 400 buckets from the start to a strategy's last end of work
 * (or the horizon), for the first worlds of a run and for each strategy's plan world. Each strategy
 * has buckets of its own, so that what is told of one does not depend on the others beside it. */
#ifndef FLEETCAST_SCENARIOS_TIMELINE_H
#define FLEETCAST_SCENARIOS_TIMELINE_H

#include "scenarios/study/results.h"

#include <stddef.h>
#include <stdint.h>

#define TIMELINE_MAX_BUCKETS      400
#define TIMELINE_MAX_REPLICATIONS 2000

enum timeline_measure {
    TIMELINE_SPEND,           /* currency units within the bucket */
    TIMELINE_ON_DEMAND_NODES, /* mean nodes held in the bucket */
    TIMELINE_SPOT_NODES,
    TIMELINE_BLOCK_NODES,
    TIMELINE_OWNED_NODES,
    TIMELINE_MEASURES
};

struct timeline_frame {
    size_t buckets;
    int64_t bucket_us;
};

struct timeline {
    struct timeline_frame *frames; /* by strategy */
    size_t most;                   /* buckets of any */
    size_t strategies;
    uint32_t replications; /* worlds recorded */
    float *worlds;         /* [replication][strategy][measure][most] */
    double *plan;          /* [strategy][measure][most] */
};

/* Most bytes that the timeline of so many strategies and replications can take. */
double timeline_bytes(size_t strategies, uint32_t replications);
/* Chooses buckets for these results, to record the first `worlds` of them; false when out of
 * memory. */
bool timeline_init(struct timeline *t, const struct results *r, int64_t horizon_us,
                   uint32_t worlds);
void timeline_release(struct timeline *t);
float *timeline_world(const struct timeline *t, uint32_t replication, size_t strategy,
                      enum timeline_measure m);
double *timeline_plan(const struct timeline *t, size_t strategy, enum timeline_measure m);

#endif
