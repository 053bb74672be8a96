/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a workload does in its strategy's plan world, read from the table plan_world: stretches and
 * instants of one lane of a picture. */
#ifndef FLEETCAST_PLOTS_PLAN_LANES_H
#define FLEETCAST_PLOTS_PLAN_LANES_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

enum lane_kind {
    LANE_ON_DEMAND, /* works */
    LANE_SPOT,
    LANE_HELD,     /* works on what was bought beforehand: a block, own hardware */
    LANE_OVERHEAD, /* nodes are paid, and do not work: gathering, boot, restore, saving */
    LANE_IDLE,     /* no node */
    LANE_WRITTEN,  /* instants: a checkpoint is complete … */
    LANE_LOSS,     /* … a complete gang loses nodes */
    LANE_KINDS
};

struct lane_piece {
    double start_s, end_s;
    enum lane_kind kind;
};

struct plan_lane {
    const char *workload; /* the table's; NULL: no such lane */
    struct lane_piece *pieces;
    size_t count, losses;
    size_t failures; /* of those losses, by hardware */
    double end_s;    /* of the last stretch or of the work */
    bool done;       /* the work is: else it was cut at end_s */
    double left_out;
    double replication;
};

/* The index-th workload of this strategy, in the order of the table. lane->workload is NULL beyond
 * the last, or without a table. False, with an error in d, when a column is absent or memory is
 * out. */
bool plan_lane_read(struct plan_lane *lane, const struct table *t, const char *strategy,
                    size_t index, struct arena *a, struct diagnostics *d);

#endif
