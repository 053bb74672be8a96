/* SPDX-License-Identifier: GPL-3.0-or-later
 * oracle.csv: what each strategy paid over what hindsight could have done. */
#ifndef FLEETCAST_SCENARIOS_ORACLE_TABLE_H
#define FLEETCAST_SCENARIOS_ORACLE_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Without rows when nobody is compared (oracle_plan.h). */
struct table *oracle_table(const struct run *run);

#endif
