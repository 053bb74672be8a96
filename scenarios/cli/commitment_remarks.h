/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy signs for, said before anything is simulated: the offer, its price and source,
 * the whole of what is owed, what it can cover, and how much of it must be used. */
#ifndef FLEETCAST_SCENARIOS_COMMITMENT_REMARKS_H
#define FLEETCAST_SCENARIOS_COMMITMENT_REMARKS_H

#include "scenarios/study/study.h"

/* One paragraph a commitment; nothing for a strategy without any. */
void commitment_remarks_print(const struct study *s, size_t strategy);

/* Hours in which all of a commitment must be used for it to cost as much as on demand, when all of
 * it covers nodes of this pool: as a share of its term, for the commitment alone, and in the plan,
 * which does not bear what is of use elsewhere after the horizon. False when it cannot cover the
 * pool's nodes. */
struct break_even {
    double nodes; /* that it covers together */
    double on_demand_per_hour;
    double share;     /* of the term's hours; above 1: it never pays */
    double plan_h;    /* hours that pay for what the plan bears of it */
    double horizon_h; /* hours of the term before the horizon */
};
bool commitment_break_even(const struct study *s, size_t strategy, size_t commitment, int pool,
                           struct break_even *out);

#endif
