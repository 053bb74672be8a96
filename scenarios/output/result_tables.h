/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run as tables: what is written as CSV, drawn, and printed. Their columns are those of
 * result_layouts.h. */
#ifndef FLEETCAST_SCENARIOS_RESULT_TABLES_H
#define FLEETCAST_SCENARIOS_RESULT_TABLES_H

#include "engine/table.h"
#include "scenarios/output/result_layouts.h"
#include "scenarios/study/run.h"

struct result_tables {
    struct table *summary, *comparison, *distribution, *timeline, *monthly, *lines, *quarters,
        *categories, *commitments, *split, *levels, *oracle, *break_even, *market, *survival,
        *plan_world, *jobs, *utilisation, *services, *hour_of_week, *service_hours, *sensitivity,
        *information, *choice, *limits;
};

/* All of them; false when out of memory. */
bool result_tables_make(struct result_tables *t, const struct run *run);
void result_tables_release(struct result_tables *t);

#endif
