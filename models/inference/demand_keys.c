/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/demand_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

#define HOUR(member) offsetof(struct demand_hour, member)

static const struct schema_key hour_keys[] = {
    {.name = "share",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e9,
     .required = true,
     .offset = HOUR(share),
     .help = "Demand of this hour beside the others."},
};

static const struct schema hour_schema = {
    .name = "demand.profile",
    .shorthand = "share",
    SCHEMA_KEYS(hour_keys),
    .size = sizeof(struct demand_hour),
    .help = "One hour of a profile; the number alone may stand in its place.",
};

#define EVENT(member) offsetof(struct demand_event, member)

static const struct schema_key event_keys[] = {
    {.name = "from",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .required = true,
     .offset = EVENT(from),
     .place_offset = EVENT(from_place),
     .help = "When it begins: a date or time (UTC), or a time from the scenario's start."},
    {.name = "for",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3660 * DAY_S,
     .required = true,
     .offset = EVENT(length),
     .help = "For how long."},
    {.name = "factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e6,
     .required = true,
     .offset = EVENT(factor),
     .help = "Multiplies the rate while it lasts; of events that overlap all do."},
};

static const struct schema event_schema = {
    .name = "demand.events",
    SCHEMA_KEYS(event_keys),
    .size = sizeof(struct demand_event),
    .help = "A known time of more demand, or of less.",
};

#define BURSTS(member) offsetof(struct demand_bursts, member)

static const struct schema_key bursts_keys[] = {
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 3660 * DAY_S,
     .required = true,
     .offset = BURSTS(every),
     .help = "Mean time from the begin of a burst to that of the next."},
    {.name = "for",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0.001,
     .high = 3660 * DAY_S,
     .required = true,
     .offset = BURSTS(length),
     .help = "Mean length of a burst; shorter than `every`."},
    {.name = "factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e6,
     .required = true,
     .offset = BURSTS(factor),
     .help = "Multiplies the rate in a burst."},
    {.name = "regular",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = BURSTS(regular),
     .help = "`yes`: bursts come by the clock, the first one `every` less `for` after the start; "
             "`no`: lengths and breaks are exponential (a Markov-modulated Poisson process)."},
};

static const struct schema bursts_schema = {
    .name = "demand.bursts",
    SCHEMA_KEYS(bursts_keys),
    .size = sizeof(struct demand_bursts),
    .help = "Short times of more demand, which nobody knows of before.",
};

#define DEMAND(member) offsetof(struct demand_spec, member)

static const char *const law_names[] = {"gamma", "weibull", NULL};
static const char *const begin_names[] = {"auto", "first", "random", NULL};

static const struct schema_key demand_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 0,
     .high = 1e9,
     .offset = DEMAND(rate),
     .place_offset = DEMAND(rate_place),
     .help =
         "Requests at the start, as the mean over the profile: `20/s`, `1500/h`. Either this or "
         "`trace` is needed."},
    {.name = "trace",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 1024,
     .offset = DEMAND(trace),
     .place_offset = DEMAND(trace_place),
     .help = "A file of requests that really came, which are replayed in place of `rate`: a table "
             "of requests as `fleetcast import requests` writes it."},
    {.name = "loop",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = DEMAND(loop),
     .help = "`yes`: the trace begins anew when it has ended, one mean gap after its last request; "
             "`no`: then no request comes any more."},
    {.name = "begin",
     .kind = SCHEMA_CHOICE,
     .choices = begin_names,
     .default_text = "auto",
     .offset = DEMAND(begin),
     .help =
         "Where the trace is begun: `first`, with its first request; `random`, at a time of the "
         "trace that is drawn for each world; `auto`: `random` where it loops, else `first`."},
    {.name = "scale",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e6,
     .default_text = "1",
     .offset = DEMAND(scale),
     .help =
         "Requests that come for one of the trace, on average: `0.1` thins it; with `2.5` each "
         "comes two or three times, the others at drawn times before the next one of the trace. "
         "`growth`, `events` and `bursts` multiply it."},
    {.name = "profile",
     .kind = SCHEMA_LIST,
     .inner = &hour_schema,
     .low = 1,
     .high = 1000,
     .offset = DEMAND(profile),
     .place_offset = DEMAND(profile_place),
     .help =
         "24 numbers, one for each hour of the day (UTC), or 168, one for each of the week from "
         "Monday on: how the rate swings. Only their ratios count; between the middles of two "
         "hours the rate goes along a line."},
    {.name = "growth",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = -0.99,
     .high = 10,
     .default_text = "0 %",
     .offset = DEMAND(growth),
     .help = "Growth a month, compounding: `8 %`."},
    {.name = "events",
     .kind = SCHEMA_LIST,
     .inner = &event_schema,
     .list_or_one = true,
     .high = 1000,
     .offset = DEMAND(events),
     .help = "Known times of more demand, or of less."},
    {.name = "bursts",
     .kind = SCHEMA_SECTION,
     .inner = &bursts_schema,
     .offset = DEMAND(bursts),
     .given_offset = DEMAND(has_bursts),
     .place_offset = DEMAND(bursts_place),
     .help = "Short times of more demand, which nobody knows of before."},
    {.name = "cv",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0.01,
     .high = 50,
     .default_text = "1",
     .offset = DEMAND(cv),
     .place_offset = DEMAND(cv_place),
     .help = "Standard deviation over mean of the time between two arrivals at a steady rate: 1 is "
             "a Poisson process, more comes in clusters."},
    {.name = "law",
     .kind = SCHEMA_CHOICE,
     .choices = law_names,
     .default_text = "gamma",
     .offset = DEMAND(law),
     .help = "Of the times between arrivals where `cv` is not 1."},
    {.name = "from",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = DEMAND(from),
     .place_offset = DEMAND(from_place),
     .help = "When the service begins: a date or time (UTC), or a time from the scenario's start; "
             "default: the start."},
    {.name = "until",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = DEMAND(until),
     .place_offset = DEMAND(until_place),
     .help = "When it ends, likewise; default: never."},
};

const struct schema demand_schema = {
    .name = "demand",
    .shorthand = "rate",
    SCHEMA_KEYS(demand_keys),
    .size = sizeof(struct demand_spec),
    .help = "The requests that a service gets over time; the rate alone may stand in its place.",
};
