/* SPDX-License-Identifier: GPL-3.0-or-later
 * The message of the burn-down, about the strategy that titles speak of and what its nodes have
 * spent by the end of the timeline:
 *   - it does not stand: as everywhere (titles.h), nobody does then;
 *   - P90 of spend within the budget: "X leaves at least $950 of the $4,600 budget in 9 of 10
 *     futures" (rounded down);
 *   - P90 above it, P50 within: "In 1 of 10 futures X has used up the $4,600 budget by 13 Dec" (the
 *     end of the first bucket in which P90 is above it);
 *   - P50 above it: "In 5 of 10 futures …" likewise;
 *   - one future: "in the one simulated future" in place of a share. */
#ifndef FLEETCAST_PLOTS_TITLE_BURN_DOWN_H
#define FLEETCAST_PLOTS_TITLE_BURN_DOWN_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"
#include "plots/facts/time_course.h"

#include <stddef.h>

void title_burn_down(struct text *out, const struct study_facts *f, size_t strategy,
                     const struct time_course *spend);

#endif
