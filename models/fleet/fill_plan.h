/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pools that independent nodes of a workload come from, in order, as the strategy says it
 * (`buy`, or `fill`): for every kind of work that runs on a fill. */
#ifndef FLEETCAST_MODELS_FILL_PLAN_H
#define FLEETCAST_MODELS_FILL_PLAN_H

#include "models/fleet/fill.h"
#include "models/fleet/work.h"

#include <stdbool.h>
#include <stdint.h>

struct fill_plan {
    struct fill_entry entries[FILL_MAX_ENTRIES]; /* `pool`: index into work.pools */
    size_t count;
};

/* Fills the work's pools and the entries for up to `most` nodes (at least 1) at a time. terms: in
 * force, and checked by independent_terms_check. What is wrong is told at its key. False then. */
bool fill_plan_make(struct fill_plan *p, struct work_plan *work, const struct work_request *r,
                    const struct strategy_terms *terms, const char *workload, uint32_t most);
/* Most nodes that all its pools together can ever hold. */
double fill_plan_most(const struct work_plan *work, const struct work_request *r);

#endif
