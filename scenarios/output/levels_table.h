/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a commitment of another size would have cost: commitment_levels.csv, one row per strategy
 * and level. */
#ifndef FLEETCAST_SCENARIOS_LEVELS_TABLE_H
#define FLEETCAST_SCENARIOS_LEVELS_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. */
struct table *levels_table(const struct run *run);

#endif
