/* SPDX-License-Identifier: GPL-3.0-or-later
 * summary.csv: of every metric of every strategy and workload its quantiles with their intervals,
 * its mean and its ends, as far as censoring leaves them known. */
#ifndef FLEETCAST_SCENARIOS_SUMMARY_TABLE_H
#define FLEETCAST_SCENARIOS_SUMMARY_TABLE_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. A metric that exists in no world has no row. */
struct table *summary_table(const struct run *run);

#endif
