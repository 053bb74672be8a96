/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service judged hour by hour of the scenario while it runs, in every world and in fixed memory:
 * was the hour overloaded, and was the target share of the requests that ended in it within the
 * objective? Overload is that of service_bucket_overloaded, for a bucket of an hour; it is told by
 * minutes, of which only the current one is kept. */
#ifndef FLEETCAST_MODELS_HOUR_WATCH_H
#define FLEETCAST_MODELS_HOUR_WATCH_H

#include "models/fleet/hour_log.h"
#include "models/fleet/service_log.h"

#include <stdbool.h>

struct hour_watch {
    bool judges; /* an objective is stated */
    double target;
    double counted_from_s; /* hours that begin earlier are counted nowhere */
    struct hour_log *log;  /* NULL: none is kept */
    size_t workload;

    /* Of the minute that is open. */
    double minute_end_s, span_s, came, left, could, waiting_s;
    /* Of the hour that is open. */
    double hour_s, from_s; /* when it began; when the service began in it */
    double ended, within;
    struct service_bucket bucket;
    struct service_fluid fluid;

    /* Of the world: counted hours of which the share within is known, and those that met the
     * target; overloaded time. */
    double judged, met, overloaded_h;
};

/* For a new world. */
void hour_watch_begin(struct hour_watch *w, bool judges, double target, struct hour_log *log,
                      size_t workload);
/* The service begins. Hours before counted_from_s are not counted. */
void hour_watch_start(struct hour_watch *w, double now_s, double counted_from_s);
/* It ends; what was passed is judged. */
void hour_watch_end(struct hour_watch *w);

/* Totals of a stretch, over which they are spread evenly. */
struct hour_flow {
    double came, left;     /* as service_log_came and service_log_left */
    double could, waiting; /* requests that could be served at most; requests × seconds */
    double ended, within;  /* requests */
};
void hour_watch_flow(struct hour_watch *w, double from_s, double to_s, const struct hour_flow *f);

/* A stretch up to now in which neither changes: requests/s that could be served, requests that
 * wait. What comes or ends now is added to came, left, ended and within after it. */
static inline void hour_watch_pass(struct hour_watch *w, double from_s, double to_s,
                                   double capacity, double waiting)
{
    const double past_s = to_s - from_s;
    if (to_s < w->minute_end_s) {
        w->span_s += past_s;
        w->could += past_s * capacity;
        w->waiting_s += past_s * waiting;
    } else {
        const struct hour_flow flow = {.could = past_s * capacity, .waiting = past_s * waiting};
        hour_watch_flow(w, from_s, to_s, &flow);
    }
}

#endif
