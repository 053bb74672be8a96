/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans that need no simulation: true bounds of each world (search_bounds.h) rule them out.
 *
 *   by time       it cannot end within the horizon in more than 1 % of worlds
 *   by condition  `p_late`, `p_over_budget` or a condition on the cost is broken by the least that
 *                 it takes or costs
 *   by cost       where cost is what is minimised: the least that it costs is more than what
 *                 another plan, simulated in the same worlds, does cost
 *
 * The first two are decided where the 99.9 % interval over the first 200 worlds of the search lies
 * beyond the limit. The third compares, paired, over the first SCREEN_PILOT_WORLDS worlds, with the
 * best of a few pilots that planning takes for the cheapest: the difference must be more than what
 * chance makes of the best of all plans in one search of a thousand. A plan stays when it may be on
 * the front of cost and time: when planning knows none that is cheaper and a fifth faster. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_SCREEN_H
#define FLEETCAST_SCENARIOS_SEARCH_SCREEN_H

#include "scenarios/decide/search.h"

enum { SCREEN_PILOTS = 3, SCREEN_PILOT_WORLDS = 100 };

/* Marks plans by time and condition. False when memory is out, told. */
bool search_screen(struct search *s);
/* Marks plans by cost, and takes them out of the list; when the pilots would take more than a tenth
 * of the budget (strategy-worlds) nothing is done. Pilots' worlds are spent, and run again with all
 * others. False when it failed or was interrupted. */
bool search_screen_by_cost(struct search *s, size_t *left, size_t *count, uint64_t budget);
/* After a round: whoever was marked by cost and is not surely dearer than the best of those left
 * that may be chosen (the pilot may have turned out not to be one) catches up and joins them,
 * within the budget. `left` has room for all candidates, is in order, and stays so. False as above.
 */
bool search_screen_again(struct search *s, size_t *left, size_t *count, uint64_t budget);

#endif
