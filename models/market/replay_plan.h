/* SPDX-License-Identifier: GPL-3.0-or-later
 * From a trace table to what a pool replays. All pools of one table share a clock: its *window* is
 * the time in which all of the table's pools were observed, and one instant of it is the scenario's
 * start, drawn once per replication or stated. Pools of one table thus keep the common good and bad
 * hours that were seen, whichever of them a strategy asks for. */
#ifndef FLEETCAST_MODELS_REPLAY_PLAN_H
#define FLEETCAST_MODELS_REPLAY_PLAN_H

#include "models/market/market.h"
#include "models/market/market_keys.h"
#include "models/market/replay_path.h"
#include "models/market/trace.h"

#define REPLAY_START_SOURCE "market/replay/start"

struct replay_file {
    const char *name; /* as the scenario gives it */
    struct trace_set set;
    int64_t start_unix_s;   /* of time 0 of the clock; TRACE_NO_START: not known */
    double from_s, until_s; /* the window, on the clock */
    bool good;
};

struct replay_files {
    struct replay_file *items;
    size_t count;
};

/* Reads the tables that the entries name, each once, and notes them as inputs; what is wrong with
 * them, or with an entry's start, is told. good: by entry, made false where something is. False
 * when out of memory. */
bool replay_files_read(struct replay_files *f, const struct schema_list *spot, bool *good,
                       const struct market_context *c);

struct replay_plan {
    const char *file;
    struct replay_series nodes; /* count 0: the trace has none, or they are not asked for */
    struct replay_series price; /* likewise; nano-units per hour */
    bool random;
    double offset_s; /* of a stated start in the window */
    uint32_t most_nodes;
    const struct trace *trace; /* where it comes from … */
    int64_t nodes_per_unit;    /* … and how many nodes one of its nodes stands for */
};
/* What a pool of this entry replays in this zone, told in the register of assumptions; NULL with an
 * error at `where`. */
struct replay_plan *replay_plan_new(const struct replay_files *f, const struct spot_spec *s,
                                    const struct pool_info *pool, struct place where,
                                    const struct market_context *c);
/* The offset in this world. */
double replay_plan_offset_s(const struct replay_plan *r, struct random_world world);

#endif
