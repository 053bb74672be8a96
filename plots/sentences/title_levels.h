/* SPDX-License-Identifier: GPL-3.0-or-later
 * The title of the chart of commitment levels, of one strategy X. Costs are means; two levels
 * differ only where the paired 95 % interval says so.
 *   - The level of least mean is surely cheaper than what is signed: "X would cost $12,300 less
 *     (mean) with 1 instance in place of 2", rounded down; or "with no commitment".
 *   - Every other level surely costs more: "What X signs, 2 instances, costs less than any other
 *     size: $244k (mean)".
 *   - Else "No size of commitment is clearly cheaper than what X signs: 2 instances, $244k (mean)".
 * A single future has no interval, and is said to be one: "(in the one simulated future)". */
#ifndef FLEETCAST_PLOTS_TITLE_LEVELS_H
#define FLEETCAST_PLOTS_TITLE_LEVELS_H

#include "engine/text.h"
#include "plots/facts/level_course.h"

/* strategy: index into the facts; c has points, and all means are known. */
void title_levels(struct text *out, const struct study_facts *f, int strategy,
                  const struct level_course *c);

#endif
