/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a search looks for: the scenario's `choose:`; without one the least middle of the cost. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_GOAL_H
#define FLEETCAST_SCENARIOS_SEARCH_GOAL_H

#include "scenarios/decide/search.h"

/* Texts in the arena. False when something is wrong, told. */
bool search_goal_make(struct search_goal *g, const struct study *study, struct arena *a,
                      struct diagnostics *d);

#endif
