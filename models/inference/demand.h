/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rate of requests over the time of one world:
 *
 *   lambda(t) = rate · profile(t) · (1 + growth)^(t / month) · events(t) · burst(t)
 *
 * or, where a trace is replayed, how many requests come for one of its requests:
 *
 *   lambda(t) = scale · (1 + growth)^(t / month) · events(t) · burst(t)
 *
 * resolved before any world, and walked through in a world stretch by stretch; in a stretch the
 * rate is constant. It depends on the world alone: every strategy meets the same demand. */
#ifndef FLEETCAST_MODELS_DEMAND_H
#define FLEETCAST_MODELS_DEMAND_H

#include "engine/random.h"
#include "models/fleet/project.h"
#include "models/inference/demand_keys.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stdint.h>

/* Longest stretch of one rate: profiles and growth are lines, taken at its middle. */
#define DEMAND_STRETCH_S 60.0

struct demand_plan {
    const struct demand_spec *spec;
    const struct project *project; /* NULL: it neither slips nor grows */
    int64_t start_unix_s;
    double *event_from_s; /* of each event */
    size_t hours;         /* of the profile: 0, 24, 168 */
    double from_s, end_s; /* as stated, with end_s <= horizon_s */
    double horizon_s;
    double stated_end_s;               /* +infinity: never */
    const struct request_trace *trace; /* NULL: none */
    bool begins_at_random;             /* the trace, in each world */
    uint64_t source;                   /* of bursts */
};

/* Tells what is wrong at its place: a profile of another length or all zeros, times that cannot be,
 * bursts longer than their distance, a trace beside what it has itself. False then. */
bool demand_plan_make(struct demand_plan *p, const struct demand_spec *spec,
                      const char *workload_name, const struct project *project,
                      const struct market_context *c);

/* A walk. Read only. */
struct demand {
    const struct demand_plan *plan;
    const double *drawn;
    double from_s, to_s;   /* of the stretch */
    double rate;           /* in it, per second, or per request of the trace */
    double jumps_s;        /* when an event or a burst begins or ends next, as known at from_s */
    double begin_s, end_s; /* of the service in this world */
    /* private */
    double base, growth_per_s, profile_mean, slip_s;
    double hour, of_hour, of_next; /* which hour's middle is behind, since the epoch's week began;
                                      the profile there, and an hour later. -1: none is known */
    struct random_stream bursts;
    bool in_burst;
    double burst_changes_s; /* +infinity: there are none */
};

/* Stands on the first stretch. The world is that of the replication; drawn NULL: as planning sees
 * it, with the mean of bursts. False when nothing comes: the service begins past its end. */
bool demand_begin(struct demand *d, const struct demand_plan *p, struct random_world world,
                  const double *drawn);
/* Goes on to the next stretch. False at the end. */
bool demand_next(struct demand *d);

/* Mean and largest rate inside the horizon as planning sees it, bursts on average. */
struct demand_outlook {
    double mean, peak; /* per second */
    double requests;   /* in all */
};
struct demand_outlook demand_planned(const struct demand_plan *p);

#endif
