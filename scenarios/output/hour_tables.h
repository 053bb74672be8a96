/* SPDX-License-Identifier: GPL-3.0-or-later
 * service_hours.csv: services over all worlds, by bucket of the horizon and by hour of the week. */
#ifndef FLEETCAST_SCENARIOS_HOUR_TABLES_H
#define FLEETCAST_SCENARIOS_HOUR_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Without rows where no strategy has a service. */
struct table *service_hours_table(const struct run *run);

#endif
