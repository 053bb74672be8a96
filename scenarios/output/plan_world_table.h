/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the gangs of each strategy do in its plan world, hour by hour, as a table: for a picture of
 * it. The plan worlds are simulated once more: nothing of a world is kept after its replication. */
#ifndef FLEETCAST_SCENARIOS_PLAN_WORLD_TABLE_H
#define FLEETCAST_SCENARIOS_PLAN_WORLD_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

#define PLAN_WORLD_ROWS 20000 /* of a strategy */

/* NULL when out of memory. */
struct table *plan_world_table(const struct run *run);

#endif
