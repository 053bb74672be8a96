/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `run` will say of a plan laid over the scenario: the same worlds, the same strategies beside
 * it, the same rule. A plan may be known, and keep its conditions, in all that the search and the
 * judging saw of it, and yet be cut off in a few of the worlds of `run`, which are more: an unknown
 * never wins there, and so it must not here. These worlds only pass plans over; none is preferred
 * by them. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_CONFIRM_H
#define FLEETCAST_SCENARIOS_SEARCH_CONFIRM_H

#include "scenarios/decide/search.h"

/* *stands: `run` can choose it. When it cannot, the plan's reason says why. Fills s->confirmed. A
 * scenario without `choose` chooses nothing, so that everything stands. Of a run that is to be
 * precise, whose number of worlds is not known, 1,000 are taken. False when it failed or was
 * interrupted. */
bool search_confirm(struct search *s, struct candidate *c, bool *stands);

#endif
