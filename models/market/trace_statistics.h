/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a trace says, in numbers. A run is a longest stretch of equal state; the first and the last,
 * which the observation cuts, and those that a hole cuts, are counted like the others. Shares and
 * means are over the time observed; holes are left out. Means of time are in seconds. */
#ifndef FLEETCAST_MODELS_TRACE_STATISTICS_H
#define FLEETCAST_MODELS_TRACE_STATISTICS_H

#include "models/market/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_statistics {
    size_t count;
    double mean_s, median_s, longest_s; /* NaN without a run */
};

/* "Up" = at least so many nodes. */
struct level_statistics {
    int64_t nodes;
    double up_s;         /* in all */
    double availability; /* share of the observed time */
    struct run_statistics up, down;
    size_t interruptions; /* steps from up to down */
    size_t returns;       /* and from down to up */
    double interruptions_per_day;
    bool begins_up, ends_up;
};

struct trace_statistics {
    double observed_s, hole_s;
    bool has_nodes;
    int64_t fewest_nodes, most_nodes, first_nodes, last_nodes;
    double mean_nodes;
    int64_t nodes_lost, nodes_gained; /* sums of all steps down and up */
    size_t losses;                    /* steps down */
    double node_losses_per_day;
    struct level_statistics any, full; /* 1 node; most_nodes of them */
    bool has_price;
    double mean_price; /* by time, per hour; the times without a known price left out */
    money_t least_price, most_price, first_price, last_price;
    size_t price_changes;
    double price_changes_per_day;
    double mean_price_while_up; /* at least one node; NaN when never, or not known */
    double price_integral;      /* what a node billed for all the time would have cost */
};

/* False when out of memory. */
bool trace_statistics(const struct trace *t, struct trace_statistics *out);

#endif
