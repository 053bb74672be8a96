/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests that a service really got: when each came and how many tokens it read and wrote, from
 * fleetcast's table of requests (docs/traces.md), which `fleetcast import requests` writes. */
#ifndef FLEETCAST_MODELS_REQUEST_TRACE_H
#define FLEETCAST_MODELS_REQUEST_TRACE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests of one trace. */
#define REQUEST_TRACE_MOST 20000000
/* Seconds from time 0 to the last of them. */
#define REQUEST_TRACE_LONGEST_S 1e10
/* Tokens of one request, either way. */
#define REQUEST_TRACE_MOST_TOKENS 1000000000

struct traced_request {
    double at_s; /* since time 0; >= 0, never falling */
    uint32_t prompt_tokens, output_tokens;
    uint32_t cached_tokens; /* of the prompt, that a prefix cache without end would have had */
};

struct request_trace {
    const struct traced_request *items;
    size_t count;
    /* Every request says so; else all have 0. */
    bool has_prompt, has_output, has_cached;
    bool has_start;
    int64_t start_unix_us; /* when time 0 was */
};

/* Into the arena. What is wrong is told with file and line; false then. shown: what messages call
 * the file; both must outlive d. A trace has at least one request. */
bool request_trace_read(struct request_trace *t, const char *path, const char *shown,
                        struct arena *a, struct diagnostics *d);

/* How long the trace is when it begins anew after its last request: what lies between the first
 * and the last, and one mean gap. 0 when all came at once. */
double request_trace_period_s(const struct request_trace *t);

struct request_statistics {
    double span_s;          /* from the first to the last */
    double rate_per_s;      /* gaps over the span; NaN where there is none */
    double gap_mean_s;      /* between two arrivals; NaN for one request */
    double gap_deviation_s; /* of all gaps, dividing by their number */
    double gap_cv;          /* deviation over mean; NaN where the mean is 0 */
    double no_gap;          /* requests that came at the instant of the one before */
    /* By whole minutes from the first arrival on; NaN: there is none. */
    double minute_mean, minute_most, minute_variation;  /* variance over mean */
    double prompt_tokens, output_tokens, cached_tokens; /* sums */
};
struct request_statistics request_trace_statistics(const struct request_trace *t);

#endif
