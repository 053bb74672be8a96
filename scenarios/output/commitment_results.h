/* SPDX-License-Identifier: GPL-3.0-or-later
 * What each commitment of each strategy did over all worlds: commitments.csv. Each purchase of a
 * ladder is a row; a strategy with several has a last one for all of them. */
#ifndef FLEETCAST_SCENARIOS_COMMITMENT_RESULTS_H
#define FLEETCAST_SCENARIOS_COMMITMENT_RESULTS_H

#include "engine/table.h"
#include "scenarios/study/run.h"

/* NULL when out of memory. */
struct table *commitment_results_table(const struct run *run);

#endif
