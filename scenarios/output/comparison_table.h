/* SPDX-License-Identifier: GPL-3.0-or-later
 * comparison.csv: every strategy against the baseline, world by world.
 *
 * Work that was cut off leaves a pair half known: a value that is at least 5 less one that is 3 is
 * a difference of at least 2. So a difference may have sure bounds where its mean is not known, and
 * a win that is certain counts though one side was cut; one that is not certain is no win, so that
 * a strategy which seldom finishes is not called cheaper for the few worlds in which it did. */
#ifndef FLEETCAST_SCENARIOS_COMPARISON_TABLE_H
#define FLEETCAST_SCENARIOS_COMPARISON_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

#include <stddef.h>

/* What is sure of a minus b over n worlds in which either may be censored. A pair with a NaN is
 * none. */
struct sure_difference {
    size_t pairs;      /* worlds in which both exist, known or not */
    size_t wins, ties; /* pairs with a < b, a = b for sure */
    /* Bounds of the mean difference over these worlds; NaN when there is none. */
    double at_least, at_most;
};
struct sure_difference sure_difference(const double *a, const unsigned char *a_censored,
                                       const double *b, const unsigned char *b_censored, size_t n);

/* NULL when out of memory. The baseline has no rows, nor has a metric that exists in no world of
 * either. */
struct table *comparison_table(const struct run *run);

#endif
