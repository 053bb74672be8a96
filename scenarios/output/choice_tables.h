/* SPDX-License-Identifier: GPL-3.0-or-later
 * choice.csv and limits.csv: the choice of a run, and what became of its limits. Without `choose`
 * or `limits` they have no rows. Amounts are in the scenario's currency. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_TABLES_H
#define FLEETCAST_SCENARIOS_CHOICE_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. */
struct table *choice_table(const struct run *run);
struct table *limits_table(const struct run *run);

#endif
