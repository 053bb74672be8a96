/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much to sign: the best size of every commitment alone, and of all together, against the usage
 * of a strategy over random worlds.
 *
 * Alone, expected cost is convex in the size (signing one more covers at most what the one before
 * did), so that sizes are bracketed, in powers of two first, and the bracket is narrowed to whole
 * instances, or an amount an hour to 1/512 of what is spent on demand; conditional value at risk is
 * convex too, the P90 need not be, and its best is that of all sizes looked at. Together: from the
 * best alone, one commitment at a time is made larger or smaller, or one is exchanged for another
 * that covers as many hours, by steps that become smaller until no step of one instance helps. */
#ifndef FLEETCAST_SCENARIOS_COMMIT_SEARCH_H
#define FLEETCAST_SCENARIOS_COMMIT_SEARCH_H

#include "scenarios/decide/commit_worlds.h"

#include <stdbool.h>
#include <stddef.h>

enum commit_aim {
    COMMIT_LEAST_MEAN,
    COMMIT_LEAST_P90,
    COMMIT_LEAST_CVAR, /* the mean of the dearest tenth of worlds */
    COMMIT_AIMS
};

double commit_aim_of(const struct commit_value *v, enum commit_aim aim);

/* Sizes of one commitment alone, rising, the first of which is 0. */
struct commit_curve {
    struct commit_point *points; /* in the arena */
    size_t count, capacity;
    size_t best[COMMIT_AIMS];
};

struct commit_search {
    struct commit_worlds *worlds;
    struct commit_curve *curves;                /* by commitment */
    double *step;                               /* the smallest by which a size is changed */
    double *covers_h;                           /* instance-hours that one unit covers */
    struct commit_point portfolio[COMMIT_AIMS]; /* the best of all together */
    size_t passes;
    bool cut; /* the search of a portfolio met its limit of passes */
};

/* Everything is in the worlds' arena. False with the reason told. */
bool commit_search_run(struct commit_search *s, struct commit_worlds *worlds);

/* Of two points over the same worlds: mean of a - b, its 95 % interval, and in which share a is
 * less. */
struct commit_pair {
    double mean, low, high, cheaper;
};
struct commit_pair commit_compare(const struct commit_point *a, const struct commit_point *b,
                                  size_t worlds);

#endif
