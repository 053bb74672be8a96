/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the commitments of a strategy did in one world, as a table: one row each, and their sum. */
#ifndef FLEETCAST_SCENARIOS_COMMITMENT_TABLE_H
#define FLEETCAST_SCENARIOS_COMMITMENT_TABLE_H

#include "engine/table.h"
#include "models/billing/committed.h"
#include "scenarios/study/study.h"

/* accounts: one per commitment of the strategy. NULL when out of memory. */
struct table *commitment_table(const struct study *s, size_t strategy,
                               const struct committed_account *accounts);

#endif
