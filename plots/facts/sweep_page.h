/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of a sweep over one or two settings, read for its chart: cost of each strategy at each
 * point, and which is the lowest.
 *
 * A strategy *leads* at a point when the P50 of its cost is the lowest of those that are known and
 * of which at most 1 % of futures are unfinished; it leads *clearly* when the 95 % interval of that
 * P50 touches no other's. */
#ifndef FLEETCAST_PLOTS_SWEEP_PAGE_H
#define FLEETCAST_PLOTS_SWEEP_PAGE_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/table.h"
#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { SWEEP_SERIES_MAX = 8, SWEEP_PATHS_MAX = 2, SWEEP_VALUES_MAX = 200 };

struct sweep_cost {
    double p10, p50, p90, low, high; /* interval of p50; NaN: unknown */
    bool stands;
};

struct sweep_path {
    const char *path;
    size_t count;
    const char *values[SWEEP_VALUES_MAX];
    double at[SWEEP_VALUES_MAX]; /* where it lies: the number, if all are numbers of one unit in
                                    ascending order; else 0, 1, 2 … */
    bool numeric;
    const char *unit; /* of numbers: "h", or "" */
};

struct sweep_page {
    size_t paths;
    struct sweep_path path[SWEEP_PATHS_MAX];
    const char *strategies[SWEEP_SERIES_MAX];
    size_t count, all; /* shown, and there are */
    size_t points;
    struct sweep_cost *cost; /* [point][strategy], in the arena */
    int *leader;             /* [point]; -1: none */
    bool *clear;             /* [point] */
};

static inline const struct sweep_cost *sweep_cost_at(const struct sweep_page *p, size_t point,
                                                     size_t strategy)
{
    return &p->cost[point * SWEEP_SERIES_MAX + strategy];
}

/* cost_metric: "cost_usd". False without a table, for other than one or two paths, or too many
 * values; told in d only when memory is out or the table lacks a column. */
bool sweep_page_read(struct sweep_page *p, const struct table *t, const char *cost_metric,
                     struct arena *a, struct diagnostics *d);

/* The title, in the order in which the rules are tried. Counted are points at which a strategy
 * leads clearly.
 *   - One strategy: "Cost of X: P50 $5,100 at PATH = 2, $4,200 at 8", of one path; else "Cost of
 * X".
 *   - None at all: "No clear difference in P50 cost at any of 5 points".
 *   - The same everywhere: "X has the lowest P50 cost at all 5 points"; at all clear ones: "… at 3
 * of 5 points, with no clear difference at the others".
 *   - One path, and one change: "X has the lowest P50 cost up to PATH = 4, Y from 8 on".
 *   - Else: "X has the lowest P50 cost at 6 of 9 points, Y at 2" (the two most often), and "; no
 * clear difference at 1".
 * Behind all but the first ", of those known to finish", where a strategy does not stand at some
 * point: its cost may be lower than the one that leads. */
void title_sweep(struct text *out, const struct sweep_page *p, const char *currency);

#endif
