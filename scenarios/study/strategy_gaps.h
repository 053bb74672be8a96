/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much worse one strategy is than each other by an objective, in the same worlds, with the half
 * width of the 95 % interval of that difference (engine/selection.h, two at a time). */
#ifndef FLEETCAST_SCENARIOS_STRATEGY_GAPS_H
#define FLEETCAST_SCENARIOS_STRATEGY_GAPS_H

#include "scenarios/study/objective.h"
#include "scenarios/study/results.h"

#include <stdbool.h>
#include <stddef.h>

/* What the smaller is the better of; a mean or a quantile. */
struct gap_goal {
    struct objective objective;
    bool maximise; /* the larger is */
};

struct strategy_gap {
    bool known;        /* both values are, and neither is unfinished in more than 1 % of worlds */
    double difference; /* > 0: the one is worse than the other */
    double half;
};

/* The strategy with the best value of those whose value is known and that finish in at least 99 %
 * of worlds: the first of equals. SIZE_MAX: none. False when out of memory. */
bool strategy_best(const struct gap_goal *g, const struct results *r, size_t *best);
/* Of strategy `one` to all, r->strategies gaps. False when out of memory. */
bool strategy_gaps(const struct gap_goal *g, const struct results *r, size_t one,
                   struct strategy_gap *gaps);

#endif
