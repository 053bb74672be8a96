/* SPDX-License-Identifier: GPL-3.0-or-later
 * timeline.csv: spend, running spend and nodes in each bucket of time. */
#ifndef FLEETCAST_SCENARIOS_TIMELINE_TABLE_H
#define FLEETCAST_SCENARIOS_TIMELINE_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Buckets lie inside the horizon, where all is known: nothing in this
 * table is censored. */
struct table *timeline_table(const struct run *run);

#endif
