/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of rows of a shared fleet's nodes (`kind: fleet`): which services stood on them in this world,
 * and whose they are. Rows are not split: a provider bills nodes, and what a row bills stays exact.
 */
#ifndef FLEETCAST_SCENARIOS_FOCUS_TENANTS_H
#define FLEETCAST_SCENARIOS_FOCUS_TENANTS_H

#include "engine/text.h"
#include "scenarios/study/metrics.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

/* A share is a whole number of these parts; those of a fleet add up to all of them. */
#define FOCUS_TENANT_PARTS 1000000000

/* Of each workload of what its host bears, split as split.csv does (host_split.h); 0: it has none.
 * cells: of this world, by workload. The caller frees. NULL when out of memory. */
money_t *focus_tenants_make(const struct study *study, size_t strategy,
                            const struct metric_cells *cells);

/* Replaces out by [{"job":…,"owner":…,"share":…},…], of those who stand on this workload; nothing
 * when nobody does. */
void focus_tenants_write(struct text *out, const struct study *study, size_t strategy,
                         const money_t *shares, size_t host);

#endif
