/* SPDX-License-Identifier: GPL-3.0-or-later
 * A plan's coverage in one world: where savings-plan rates are drawn, or prices change before
 * something is bought, who is covered first and for how much differs from world to world, so that
 * pairs are sorted anew for each. Any other plan has one coverage for all, and nothing is done. */
#ifndef FLEETCAST_MODELS_COVERAGE_WORLD_H
#define FLEETCAST_MODELS_COVERAGE_WORLD_H

#include "models/commitments/commitment_plan.h"
#include "models/commitments/coverage_run.h"

#include <stdbool.h>

/* One thread's. */
struct coverage_world {
    const struct commitment_plan *plan; /* borrowed */
    struct coverage_run *run;           /* of this world's rates */
    struct coverage *own;               /* NULL: the plan's */
    struct commitment *items;           /* what they cost in this world; NULL: as planned */
};

/* At the planned rates. False when out of memory; coverage_world_release is due either way. */
bool coverage_world_init(struct coverage_world *w, const struct commitment_plan *plan);
/* The prices and rates of the market's world; drawn as for number_value. What would be signed at or
 * after signed_until_us is not (INT64_MAX: all is). False when out of memory: the coverage before
 * stays. */
bool coverage_world_begin(struct coverage_world *w, struct market *m, const double *drawn,
                          int64_t signed_until_us);
/* The plan's commitments at this world's prices. */
const struct commitment *coverage_world_items(const struct coverage_world *w);
void coverage_world_release(struct coverage_world *w);

#endif
