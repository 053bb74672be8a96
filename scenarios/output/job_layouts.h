/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables that show jobs, and the use of the nodes they run on, in the plan
 * worlds; as result_layouts.h gives them. */
#ifndef FLEETCAST_SCENARIOS_JOB_LAYOUTS_H
#define FLEETCAST_SCENARIOS_JOB_LAYOUTS_H

#include "engine/table.h"

enum { LAYOUT_JOBS_COLUMNS = 23, LAYOUT_UTILISATION_COLUMNS = 13 };
extern const struct column layout_jobs[LAYOUT_JOBS_COLUMNS];
extern const struct column layout_utilisation[LAYOUT_UTILISATION_COLUMNS];

#endif
