/* SPDX-License-Identifier: GPL-3.0-or-later
 * split.csv: the cost by owner and by each tag. Every split adds up to the whole cost. */
#ifndef FLEETCAST_SCENARIOS_SPLIT_TABLE_H
#define FLEETCAST_SCENARIOS_SPLIT_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Without rows when the scenario states no owner and no tag. */
struct table *split_table(const struct run *run);

#endif
