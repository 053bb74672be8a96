/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/spending.h"

#include <math.h>

/* So that the rounding of a sum cannot put the end off, for ever. */
#define NEARLY (1 - 1e-9)

/* What writing the last checkpoint will cost, as planned. */
static double reserve(const struct spending *s)
{
    const struct checkpoint_spec *c = &s->plan->spec->checkpoint;
    return c->mode == CHECKPOINT_PERIODIC
               ? s->per_s * checkpoint_complete_s(s->plan, s->plan->work.nodes, NULL)
               : 0;
}

static void look_again(void *actor, uint64_t tag)
{
    struct spending *s = actor;
    (void)tag;
    s->event = EVENT_NONE;
    spending_look(s);
    if (s->spent + reserve(s) >= s->plan->stop_at_budget * NEARLY) {
        spending_stop(s);
        s->reached(s->owner);
    }
}

void spending_begin(struct spending *s, const struct training_plan *plan, struct fleet *fleet,
                    struct crew *const *crews, struct crew *const *spares,
                    void (*reached)(void *owner), void *owner)
{
    *s = (struct spending){.plan = plan,
                           .fleet = fleet,
                           .crews = crews,
                           .spares = spares,
                           .event = EVENT_NONE,
                           .reached = reached,
                           .owner = owner};
}

void spending_stop(struct spending *s)
{
    calendar_cancel(fleet_calendar(s->fleet), s->event);
    s->event = EVENT_NONE;
}

void spending_look_at_budget(struct spending *s)
{
    struct calendar *calendar = fleet_calendar(s->fleet);
    double now_s = calendar->now_s, again_s = HUGE_VAL;
    s->spent += s->per_s * (now_s - s->looked_s);
    s->looked_s = now_s;
    s->per_s = 0;
    for (int k = 0; k < 2 * SITE_COUNT; k++) {
        const struct crew *c = k < SITE_COUNT ? s->crews[k] : s->spares[k - SITE_COUNT];
        if (c != NULL && c->held > 0) {
            double changes_s;
            money_t price = market_price(fleet_market(s->fleet), c->pool, now_s, &changes_s);
            s->per_s += c->held * money_to_double(price) / 3600;
            again_s = fmin(again_s, changes_s);
        }
    }
    if (s->per_s > 0) {
        double left = s->plan->stop_at_budget - s->spent - reserve(s);
        again_s = fmin(again_s, now_s + fmax(left, 0) / s->per_s);
    }
    spending_stop(s);
    if (isfinite(again_s) && calendar_schedule(calendar, again_s, EVENT_POLICY, look_again, s, 0,
                                               &s->event) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}
