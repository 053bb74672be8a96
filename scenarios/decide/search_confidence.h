/* SPDX-License-Identifier: GPL-3.0-or-later
 * How sure the choice is. For every other plan that may be chosen, as far as its worlds tell, the
 * chance that it is the better one follows from the difference of their losses on the worlds that
 * both have met and its standard error: of a mean from the pairs, of a quantile from 200 bootstrap
 * samples of worlds (Efron & Tibshirani 1993, ch. 6). The chance that the choice is right is at
 * least one less the sum of these (Bonferroni; Chen & Lee 2011, Stochastic Simulation Optimization,
 * eq. 3.5: APCS-B). Both take differences to be normal. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_CONFIDENCE_H
#define FLEETCAST_SCENARIOS_SEARCH_CONFIDENCE_H

#include "scenarios/decide/search.h"

/* Sets `correct` and `nearly_correct`: the chance that no other plan is better at all, or by more
 * than SEARCH_INDIFFERENCE of the objective, and `margin`: the least amount, in the objective's
 * unit, by which none is better with a chance of SEARCH_CONFIDENCE; NaN when nothing was chosen or
 * it is not known. Also `level`: how many others, all compared at once, cannot be told from it.
 * False when memory is out. */
bool search_confidence(struct search *s);

/* a's loss less b's on worlds [0, n) of the search, or of judging, and its standard error. */
bool search_confidence_difference(const struct search *s, const struct candidate_worlds *a,
                                  const struct candidate_worlds *b, uint32_t n, double *difference,
                                  double *error);

#endif
