/* SPDX-License-Identifier: GPL-3.0-or-later
 * sensitivity.csv: how cost and time of each strategy go with each uncertain input, over the worlds
 * of the run: rank correlation, and medians where the input is low and where it is high.
 *
 * Of an unfinished world only a lower bound is known. In ranks it stands behind all that is
 * finished, which is an order that nobody can doubt; in medians it counts as a bound, and the
 * median is left out where that makes it unknown. */
#ifndef FLEETCAST_SCENARIOS_SENSITIVITY_TABLE_H
#define FLEETCAST_SCENARIOS_SENSITIVITY_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Without uncertain inputs it has no rows. */
struct table *sensitivity_table(const struct run *run);

#endif
