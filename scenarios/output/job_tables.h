/* SPDX-License-Identifier: GPL-3.0-or-later
 * jobs.csv and utilisation.csv: what became of every job in the plan worlds, and how busy the nodes
 * were that queues ran on. */
#ifndef FLEETCAST_SCENARIOS_JOB_TABLES_H
#define FLEETCAST_SCENARIOS_JOB_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* Most attempts of one strategy that are shown; of one that has more, how busy its nodes were is
 * not said. */
enum { JOB_TABLE_ATTEMPTS = 1000000 };

/* The plan worlds are simulated once more. Both NULL when memory is out. */
void job_tables_make(const struct run *run, struct table **jobs, struct table **utilisation);

#endif
