/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the chart of up times, of the pool whose curves lie farthest apart among those
 * shown:
 *   - At most 10 points apart: "The fitted model follows the trace: at most 7 points apart"
 *     ("Losses come about as evenly as planned with: at most 7 points apart"); rounded up.
 *   - Else "23 % of up times in Z last longer than 3 hours; the fitted model says 41 %" ("planning
 *     counts with 41 %"), at the hour where they are farthest apart.
 * Pools with fewer than five up times are left out; with no other: "At most 3 up times seen in a
 * pool: too few to judge the model by". */
#ifndef FLEETCAST_PLOTS_TITLE_SURVIVAL_H
#define FLEETCAST_PLOTS_TITLE_SURVIVAL_H

#include "engine/text.h"
#include "plots/facts/survival_curves.h"

#define TITLE_SURVIVAL_NEAR 0.1
#define TITLE_SURVIVAL_FEW  5.0

/* p->count > 0. */
void title_survival(struct text *out, const struct survival_pairs *p);

#endif
