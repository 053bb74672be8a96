/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ways to buy an hour of each instance type of the plan, and the use above which what is paid
 * anyway beats what is paid by use: break_even.csv. */
#ifndef FLEETCAST_SCENARIOS_BREAK_EVEN_TABLE_H
#define FLEETCAST_SCENARIOS_BREAK_EVEN_TABLE_H

#include "engine/table.h"
#include "scenarios/study/study.h"

/* NULL when out of memory. */
struct table *break_even_table(const struct study *s);

#endif
