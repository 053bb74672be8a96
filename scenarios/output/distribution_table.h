/* SPDX-License-Identifier: GPL-3.0-or-later
 * distribution.csv: the empirical distributions of cost and time to train, ready to plot.
 *
 * A value of unfinished work is only a bound: the world belongs somewhere at or above it. Its point
 * stands at the bound and is marked, and each point says two shares: of all worlds at or below it,
 * bounds taken for values (the most that the distribution function can be there), and of the
 * finished ones among them (the least). */
#ifndef FLEETCAST_SCENARIOS_DISTRIBUTION_TABLE_H
#define FLEETCAST_SCENARIOS_DISTRIBUTION_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* More than a chart can show; the file stays small at any number of replications. */
#define DISTRIBUTION_POINTS 1000

/* NULL when out of memory. */
struct table *distribution_table(const struct run *run);

#endif
