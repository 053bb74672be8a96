/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the search came to, on worlds that it has not seen: finalists and the plans that no other
 * beats in both cost and time. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_JUDGE_H
#define FLEETCAST_SCENARIOS_SEARCH_JUDGE_H

#include "scenarios/decide/search.h"

/* Runs them through fresh worlds, names the chosen plan (the best finalist, by the worlds of the
 * search, that keeps all conditions on these and on fresh worlds) and the runner-up, and the front,
 * by fresh worlds alone. Says of every other plan why it is not the one. False when it failed or
 * was interrupted. */
bool search_judge(struct search *s);

/* The estimate of a cost or time of a plan on fresh worlds, or where there are none on those of the
 * search. False when memory is out. */
bool search_judge_estimate(const struct search *s, const struct candidate *c, size_t measure,
                           struct estimate *e);

#endif
