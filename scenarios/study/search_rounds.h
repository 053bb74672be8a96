/* SPDX-License-Identifier: GPL-3.0-or-later
 * Running plans of a search through worlds, ordering them, and giving up the worse half. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_ROUNDS_H
#define FLEETCAST_SCENARIOS_SEARCH_ROUNDS_H

#include "scenarios/study/search.h"

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
/* From the first `worlds` worlds of the search, or of judging. False when memory is out. */
bool search_rounds_stand(const struct search *s, const struct candidate_worlds *w, uint32_t worlds,
                         struct candidate_standing *standing);
/* Whether a stands before b: the tier, then the loss, or the excess of what breaks a condition. */
bool search_rounds_before(const struct candidate_standing *a, const struct candidate_standing *b);
/* The candidates in order, equal ones as they are in the list. Uses what `standing` says. */
void search_rounds_sort(const struct search *s, size_t *candidates, size_t count);

/* Shares of the budget. */
uint64_t search_rounds_refine_budget(const struct search *s);
uint64_t search_rounds_judge_budget(const struct search *s);

#endif
