/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about the requests that a service gets over time. */
#ifndef FLEETCAST_MODELS_DEMAND_KEYS_H
#define FLEETCAST_MODELS_DEMAND_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/inference/request_trace.h"

#include <stdbool.h>

/* Where a trace is begun: `auto` at random where it loops, else with its first request. */
enum trace_begin { TRACE_BEGIN_AUTO, TRACE_BEGIN_FIRST, TRACE_BEGIN_RANDOM };

enum arrival_law { ARRIVALS_GAMMA, ARRIVALS_WEIBULL };

/* One hour of a profile. */
struct demand_hour {
    struct schema_item item;
    struct number share;
};

/* `events: [{from: 2026-11-27, for: 4d, factor: 3}]` */
struct demand_event {
    struct schema_item item;
    const char *from;
    struct place from_place;
    struct quantity length;
    struct number factor;
};

/* `bursts: {every: 2h, for: 10min, factor: 4}` */
struct demand_bursts {
    struct number every, length, factor;
    bool regular;
};

struct demand_spec {
    struct place place;
    struct number rate; /* mean of the profile, per second */
    struct place rate_place;
    const char *trace; /* file of a table of requests; NULL: none, they come at `rate` */
    struct place trace_place;
    struct request_trace requests; /* of that file, once read */
    bool loop;
    int begin;                  /* enum trace_begin */
    struct number scale;        /* requests for one of the trace */
    struct schema_list profile; /* struct demand_hour: none, 24 or 168 */
    struct place profile_place;
    struct number growth;      /* share a month, compounding */
    struct schema_list events; /* struct demand_event */
    struct place cv_place;
    struct number cv; /* of the time between two arrivals at a steady rate */
    int law;          /* enum arrival_law */
    struct demand_bursts bursts;
    bool has_bursts;
    struct place bursts_place;
    const char *from, *until;
    struct place from_place, until_place;
};
extern const struct schema demand_schema;

#endif
