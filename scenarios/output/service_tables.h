/* SPDX-License-Identifier: GPL-3.0-or-later
 * services.csv and hour_of_week.csv: how services fare over time in the plan worlds, and in which
 * hours of the week nodes cost what they cost. */
#ifndef FLEETCAST_SCENARIOS_SERVICE_TABLES_H
#define FLEETCAST_SCENARIOS_SERVICE_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* Most buckets of one service: hours of 400 days. Beyond that they are longer. */
enum { SERVICE_TABLE_BUCKETS = 9600 };

/* The plan worlds are simulated once more where there is something to show: services, or a horizon
 * of more than a week. Both NULL when memory is out. */
void service_tables_make(const struct run *run, struct table **services,
                         struct table **hour_of_week);

#endif
