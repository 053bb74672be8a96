/* SPDX-License-Identifier: GPL-3.0-or-later
 * sweep.csv: one scenario at every point of a grid of settings. A row is a row of summary.csv with
 * the point before it; a point that was refused has one row that says why. */
#ifndef FLEETCAST_SCENARIOS_SWEEP_TABLE_H
#define FLEETCAST_SCENARIOS_SWEEP_TABLE_H

#include "engine/arena.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>

/* Columns: point (from 0), one for each path (text, as given), those of summary.csv, choice,
 * refused. NULL when out of memory. */
struct table *sweep_table_new(const char *const *paths, size_t count, struct arena *a);
/* What becomes of a strategy by `choose`, as choice.csv names it: "chosen", "level" …; NULL:
 * nothing is chosen. */
typedef const char *sweep_choice_name(const void *context, const char *strategy);
/* A point's results: values[count], as the paths; its summary. What memory is lacking for shows in
 * table_incomplete. */
void sweep_table_add(struct table *t, size_t point, const char *const *values, size_t count,
                     const struct table *summary, sweep_choice_name *choice, const void *context);
void sweep_table_refuse(struct table *t, size_t point, const char *const *values, size_t count,
                        const char *reason);

/* For people: of each point and strategy the cost, and the time where there is one, of all
 * workloads together. NULL when out of memory. */
struct table *sweep_table_short(const struct table *sweep, size_t paths, struct arena *a);

#endif
