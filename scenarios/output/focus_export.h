/* SPDX-License-Identifier: GPL-3.0-or-later
 * One world of one strategy as a FOCUS 1.2 cost and usage file (CSV). The rows are made twice: once
 * to be added up and compared with the bill, and only then to be written (focus_file.h). */
#ifndef FLEETCAST_SCENARIOS_FOCUS_EXPORT_H
#define FLEETCAST_SCENARIOS_FOCUS_EXPORT_H

#include "engine/diagnostics.h"
#include "models/billing/focus_rows.h"
#include "scenarios/study/simulation.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct focus_export {
    const struct study *study;
    size_t strategy;
    uint32_t world;
    struct simulation *simulation;
    struct matched_hours *matched, *matched_alone; /* as focus_world */
    struct metric_cells all;                       /* of all workloads together */
    struct focus_rest *rest; /* by commitment of the strategy, those from before it last */
    struct charge_notes notes;
    struct covered_discount discount;
    money_t *others; /* lines of the bill: (workloads + 1) × frame.others */
    money_t *shares; /* by workload: of its host's nodes (focus_tenants.h) */
    money_t *lines;  /* the same in rows, of all bills together: frame.others */
    size_t rows;
};

/* Simulates the world and checks that its rows add up to the bill. False, told in d: it cannot be
 * simulated, has too many rows, or something is on the bill that is in no row. focus_export_close
 * is due either way. */
bool focus_export_open(struct focus_export *e, const struct study *study, size_t strategy,
                       uint32_t world, struct diagnostics *d);
void focus_export_close(struct focus_export *e);
/* Every line of the bill is in the rows, or refused by name; part of opening. */
bool focus_export_has_lines(const struct focus_export *e, struct diagnostics *d);
/* Of a window that the strategy has bought, counted from 1 as in its rows. */
const struct pool_info *focus_export_window_pool(const struct focus_export *e, size_t window);
/* What its rows are made from. */
struct focus_world focus_export_world(struct focus_export *e);

#endif
