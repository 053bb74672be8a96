/* SPDX-License-Identifier: GPL-3.0-or-later
 * Running plans of a search through worlds, and giving up the worse half. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_ROUNDS_H
#define FLEETCAST_SCENARIOS_SEARCH_ROUNDS_H

#include "scenarios/decide/search.h"

/* Sequential halving over all candidates that have a study and were not screened out. The budget
 * less what search_refine and search_judge may spend is shared equally over the rounds; with CRN a
 * plan's worlds of earlier rounds count on. When the plan sorted out is the only one that may be
 * chosen on its worlds as they are, it stays. False when it failed, was interrupted, or when the
 * budget is too small (told). */
bool search_rounds(struct search *s);

/* Runs the candidates through `count` further worlds, of ids from `first` on (RANDOM_FIRST_SEARCH
 * or RANDOM_FIRST_JUDGE): all of them have met the same number so far. Adds to `spent`. False when
 * it failed or was interrupted. */
bool search_rounds_run(struct search *s, const size_t *candidates, size_t count, uint32_t first,
                       uint32_t worlds);
/* Shares of the budget. */
uint64_t search_rounds_refine_budget(const struct search *s);
uint64_t search_rounds_judge_budget(const struct search *s);

#endif
