/* SPDX-License-Identifier: GPL-3.0-or-later
 * What portfolios of commitments cost in the same worlds: the usage of one strategy, simulated in
 * any worlds, rated under as many portfolios as are asked for. A portfolio is one size for every
 * commitment that the strategy lists: how many instances, or so much an hour in units of currency.
 */
#ifndef FLEETCAST_SCENARIOS_COMMIT_WORLDS_H
#define FLEETCAST_SCENARIOS_COMMIT_WORLDS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/study/kept_usage.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study.h"
#include "scenarios/study/world_runs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A portfolio counts as badly used where more than this share of its cost goes unused. */
#define COMMIT_BADLY_USED 0.2

/* Over worlds, inside and outside the horizon as `cost` counts. In units of currency. */
struct commit_value {
    double mean, p50, p90;
    double cvar90;      /* mean of the dearest tenth of worlds (Rockafellar & Uryasev, J. Risk 2,
                           2000: conditional value at risk at 90 %) */
    double unused_frac; /* of what the commitments cost inside the horizon; 0 when nothing is */
    double p_badly;     /* share of worlds in which more than COMMIT_BADLY_USED of it is unused */
    double covered_h;   /* instance-hours, mean */
    double obligation;  /* signed, to the end of the terms */
};

struct commit_point {
    double *sizes; /* by commitment */
    double *cost;  /* by world */
    struct commit_value value;
};

struct commit_worlds {
    struct study *study;
    size_t strategy, items; /* items: commitments that it lists */
    uint32_t first, count;  /* ids of the worlds */
    const struct run_options *options;
    struct diagnostics *d;
    struct arena *points; /* what is kept: sizes and costs */
    struct results results;
    struct kept_worlds kept; /* so that a world is simulated once */
    size_t rated;            /* portfolios so far */
};

/* count: at most LEVELS_MAX_REPLICATIONS. study is changed (its levels) until it is released, after
 * which the study has none. False when out of memory; release is due either way. */
bool commit_worlds_init(struct commit_worlds *w, struct study *study, size_t strategy,
                        uint32_t first, uint32_t count, const struct run_options *options,
                        struct arena *points, struct diagnostics *d);
void commit_worlds_release(struct commit_worlds *w);
/* Fills the values and costs of points whose sizes are given. False with the reason in d: memory,
 * an interruption, a world that cannot be simulated, or work that is unfinished in more than 1 % of
 * worlds, whose cost is not final. */
bool commit_worlds_rate(struct commit_worlds *w, struct commit_point *points, size_t count);

/* From costs by world alone: mean, p50, p90, cvar90. False when out of memory. */
bool commit_value_of(const double *cost, size_t n, struct commit_value *v);

#endif
