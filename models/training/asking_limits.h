/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a gang may cost to be asked for: `max_price` and `max_hourly` of a strategy, whatever its
 * policy wants. They look at list prices at the time of asking. Nodes that are held are kept when
 * prices rise. */
#ifndef FLEETCAST_MODELS_ASKING_LIMITS_H
#define FLEETCAST_MODELS_ASKING_LIMITS_H

#include "models/fleet/fleet.h"
#include "models/training/training_making.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Fills the plan's limits, and its budget (spending.h); its pools are known. False, told, when a
 * limit is of no use, or lets nothing be asked at planned prices. */
bool asking_limits_make(struct making *m);

/* asking_limits_look where there is a limit. */
void asking_limits_look_at_prices(const struct training_plan *plan, struct fleet *fleet,
                                  struct crew *const *crews, bool dear[SITE_COUNT],
                                  double *until_s);
/* Which sites are too dear to be asked now; a gang that is whole is not. In *until_s the time at
 * which that may change for one of them, +infinity: never. Inline, as all that is asked at every
 * decision and mostly has nothing to say. */
static inline void asking_limits_look(const struct training_plan *plan, struct fleet *fleet,
                                      struct crew *const *crews, bool dear[SITE_COUNT],
                                      double *until_s)
{
    *until_s = HUGE_VAL;
    memset(dear, false, SITE_COUNT * sizeof *dear);
    if (plan->max_price < HUGE_VAL || plan->max_hourly < HUGE_VAL) {
        asking_limits_look_at_prices(plan, fleet, crews, dear, until_s);
    }
}

#endif
