/* SPDX-License-Identifier: GPL-3.0-or-later
 * One thread's machinery to split the cost of a world over its holders (cost_split.h): what must be
 * known of charges, usage and commitments, gathered while a strategy is billed. */
#ifndef FLEETCAST_SCENARIOS_COST_SHARING_H
#define FLEETCAST_SCENARIOS_COST_SHARING_H

#include "models/billing/bill.h"
#include "models/billing/charge_note.h"
#include "models/billing/committed.h"
#include "scenarios/study/study.h"

#include <stdbool.h>

struct cost_sharing;

/* The study has holders. NULL when out of memory. */
struct cost_sharing *cost_sharing_new(const struct study *study);
void cost_sharing_free(struct cost_sharing *c);

/* Before a strategy is billed. The sink to bill with; what it is told goes on to next, which may be
 * NULL. */
const struct charge_sink *cost_sharing_begin(struct cost_sharing *c,
                                             const struct charge_sink *next);
/* After: holders gets the study's holders.count amounts. bills: workloads, then the shared one;
 * works: what became of each workload; committed NULL: none. What shared nodes that are nobody's
 * bear goes to those who stood on them. False when out of memory, or a sum passed what money holds.
 */
bool cost_sharing_end(struct cost_sharing *c, size_t strategy, const struct bill *bills,
                      const struct work_result *works, const struct usage_log *log,
                      const struct committed *committed, const double *drawn, money_t *holders);

#endif
