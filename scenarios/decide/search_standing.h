/* SPDX-License-Identifier: GPL-3.0-or-later
 * How good plans of a search are, as far as their worlds tell, and their order. Which may be chosen
 * on their worlds as they are is the rule of `choose` (eligibility.h), word for word. While a plan
 * has few worlds, the order gives it the benefit of the doubt in what chance alone may have done:
 * a condition counts as broken when its 95 % interval lies beyond the bound, a plan as unfinished
 * when that of its share does. There is no such benefit where unfinished work leaves a value open:
 * more worlds do not close it. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_STANDING_H
#define FLEETCAST_SCENARIOS_SEARCH_STANDING_H

#include "scenarios/decide/search.h"

/* Of plans that met the same worlds of the search, or of judging: notes the best that is served by
 * the clock and in which worlds a plan that may be chosen has a value, then sets what each knows
 * (`standing`, or `verdict`). False when memory is out. */
bool search_standing_all(struct search *s, const size_t *candidates, size_t count, bool judged);
/* Of one, from its first `worlds` worlds, beside what was noted. False when memory is out. */
bool search_standing(const struct search *s, const struct candidate *c, bool judged,
                     uint32_t worlds, struct candidate_standing *standing);

/* Whether a stands before b: the tier, then the loss, or the excess of what breaks a condition. */
bool search_standing_before(const struct candidate_standing *a, const struct candidate_standing *b);
/* The candidates in order, equal ones as they are in the list. Uses what `standing` says. */
void search_standing_sort(const struct search *s, size_t *candidates, size_t count);

/* Whether none of these may be chosen, whatever further worlds show: each breaks a condition, or is
 * unfinished too often, beyond its 99.9 % interval over the worlds of the search, of which there
 * are a hundred or more. False when out of memory. */
bool search_standing_hopeless(const struct search *s, const size_t *candidates, size_t count,
                              bool *hopeless);

#endif
