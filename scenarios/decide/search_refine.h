/* SPDX-License-Identifier: GPL-3.0-or-later
 * Between the values of continuous ranges: the best plan of the rounds is the start, its
 * neighbours on the range bracket it, and GSL's minimisers go on from there on the same worlds, on
 * which the loss is a fixed function of the values: Brent's method for one range (Brent 1973,
 * ch. 5), the simplex of Nelder and Mead for several. What breaks a condition is worse than
 * anything that does not. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_REFINE_H
#define FLEETCAST_SCENARIOS_SEARCH_REFINE_H

#include "scenarios/decide/search.h"

/* Adds what it tries to the candidates, and the best, when it is better than where it began, to the
 * finalists. Nothing to do without a continuous range. False when it failed or was interrupted. */
bool search_refine(struct search *s);

#endif
