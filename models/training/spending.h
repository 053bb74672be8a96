/* SPDX-License-Identifier: GPL-3.0-or-later
 * A running estimate of what a job has spent: nodes held on demand and on spot, at the list prices
 * in force, as somebody would who multiplies what he sees; no free first hour, no commitments,
 * nothing but nodes. Its owner is called in time to save the work before a budget is spent. */
#ifndef FLEETCAST_MODELS_SPENDING_H
#define FLEETCAST_MODELS_SPENDING_H

#include "models/fleet/fleet.h"
#include "models/training/training_plan.h"

#include <math.h>

struct spending {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct crew *const *crews, *const *spares; /* by site */
    double spent, per_s;                       /* up to the last look, and from then on */
    double looked_s;
    struct event_id event;
    void (*reached)(void *owner);
    void *owner;
};

/* For a new world; all borrowed. Without a budget in the plan nothing is done, ever. */
void spending_begin(struct spending *s, const struct training_plan *plan, struct fleet *fleet,
                    struct crew *const *crews, struct crew *const *spares,
                    void (*reached)(void *owner), void *owner);
/* spending_look where there is a budget. */
void spending_look_at_budget(struct spending *s);
/* To be called whenever nodes came or went; `reached` comes from an event of its own. */
static inline void spending_look(struct spending *s)
{
    if (s->plan->stop_at_budget < HUGE_VAL) {
        spending_look_at_budget(s);
    }
}
void spending_stop(struct spending *s);

#endif
