/* SPDX-License-Identifier: GPL-3.0-or-later
 * information.csv: what it would be worth to know an uncertain input, or everything, before a
 * strategy is chosen (engine/information_value.h). It is chosen by the mean that `choose` names,
 * among the strategies that may be chosen by its conditions; by mean cost where it names a
 * quantile, or there is none. */
#ifndef FLEETCAST_SCENARIOS_INFORMATION_TABLE_H
#define FLEETCAST_SCENARIOS_INFORMATION_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. No rows when there are fewer than two strategies to choose from, or
 * fewer than INFORMATION_MIN_WORLDS worlds, or no uncertain input. A strategy that is not finished
 * in some world has no mean cost and is none to choose. */
struct table *information_table(const struct run *run);

#endif
