/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bill of all workloads over time: by calendar month, by fiscal quarter, by month and category.
 * Quarters are sums of months, world by world, so that both add up to the same totals. */
#ifndef FLEETCAST_SCENARIOS_MONTH_TABLES_H
#define FLEETCAST_SCENARIOS_MONTH_TABLES_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. What is spent in a period that ends by the horizon is known of every
 * world; of the later ones, worlds that were cut off know a lower bound only. Periods behind the
 * horizon have rows only where something is spent in them; categories only those that some month of
 * some world has. */
struct table *monthly_table(const struct run *run);
struct table *quarters_table(const struct run *run);
struct table *categories_table(const struct run *run);

/* The fiscal quarter that holds an instant, when years begin in month first_month (1 to 12):
 * "FY2026 Q1". A fiscal year is named after the calendar year in which it ends, so that April 2025
 * begins FY2026 where years begin in April; where they begin in January it is the calendar year. */
const char *fiscal_quarter_name(int64_t unix_s, int first_month, char out[32]);

#endif
