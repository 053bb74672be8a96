/* SPDX-License-Identifier: GPL-3.0-or-later
 * monthly.csv and lines.csv: the bill by calendar month, and by way to buy and activity. The plan
 * world's columns add up to its cost to the last digit. */
#ifndef FLEETCAST_SCENARIOS_BILL_TABLES_H
#define FLEETCAST_SCENARIOS_BILL_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. Lines of the ways to buy that the strategy may use, of other charges and
 * of commitments; storage, transfer and NAT always. */
struct table *lines_table(const struct run *run);

#endif
