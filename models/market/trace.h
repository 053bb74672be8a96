/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was observed of pools: how many nodes could be had, and at which price, as steps in time.
 * The project's own trace table (docs/traces.md), into which public formats are imported and which
 * scenarios replay:
 *
 *     zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark
 *
 * One row a change, each pool's rows in the order of time; pools may be mixed. An empty nodes or
 * price_per_hour means "as before"; mark is empty, `hole` (nothing is known until the next row) or
 * `end` (of the observation; the pool's last row). start and tick_s stand in a pool's first row. */
#ifndef FLEETCAST_MODELS_TRACE_H
#define FLEETCAST_MODELS_TRACE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRACE_UNKNOWN    (-1) /* of nodes and price */
#define TRACE_NO_START   INT64_MIN
#define TRACE_MOST_NODES 1000000
#define TRACE_MOST_STEPS 20000000 /* of all pools of a file together */
#define TRACE_LATEST_S   1e10     /* 317 years */

struct trace_step {
    double at_s;   /* since the trace's start; the step holds until the next one, or the end */
    int64_t nodes; /* TRACE_UNKNOWN: not observed */
    money_t price; /* per hour; TRACE_UNKNOWN likewise */
    bool hole;     /* nothing is known until the next step */
};

struct trace {
    const char *zone;          /* "" when the file does not say */
    const char *instance_type; /* likewise */
    int64_t start_unix_s;      /* TRACE_NO_START when it is not known */
    double tick_s;             /* how often it was probed; 0: changes were seen as they came */
    struct trace_step *steps;  /* rising, the first at 0 or later, each unlike the one before */
    size_t count;              /* at least 1 */
    double end_s;              /* > the last step's time */
    bool has_nodes, has_price; /* in some step */
};

struct trace_set {
    struct trace *items;
    size_t count;
};

/* Reads a trace table; all memory is in the arena. Every fault is told with its line: what is no
 * number, negative or above the limits, times that do not rise, rows behind a pool's end, a pool
 * without one, nothing observed at all. False then. */
bool trace_read(struct trace_set *set, struct arena *arena, const char *path,
                const char *shown_name, struct diagnostics *d);
/* The trace of a zone and type; "" in the file or a NULL asked for matches all. The first that
 * does; *matches (may be NULL) how many do. NULL when none. */
const struct trace *trace_find(const struct trace_set *set, const char *zone, const char *type,
                               size_t *matches);
/* Writes the table of a closed builder (trace_builder.h), step by step. False on a write error
 * (errno holds) or when memory is out (ENOMEM). */
struct trace_builder;
bool trace_write_built(const struct trace_builder *b, FILE *out);

#endif
