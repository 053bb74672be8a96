/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long spot lasts: up times of each pool that a strategy uses, as observed or simulated,
 * against what a model makes of them (up_survival.h). */
#ifndef FLEETCAST_SCENARIOS_SURVIVAL_TABLE_H
#define FLEETCAST_SCENARIOS_SURVIVAL_TABLE_H

#include "engine/table.h"
#include "models/market/spot_fit.h"
#include "models/market/up_survival.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/run.h"

#include <stdint.h>

/* NULL when out of memory. */
struct table *survival_table(const struct run *run);

/* The rows of a trace and of the model fitted to it; none where nothing can be fitted. nodes: shown
 * for the gang; trace_nodes: as many of the trace's nodes. */
void survival_put_trace(struct result_rows *rows, const struct trace *t, const char *zone,
                        const char *type, uint32_t nodes, int64_t trace_nodes);

#endif
