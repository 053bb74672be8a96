/* SPDX-License-Identifier: GPL-3.0-or-later
 * The zones of spot as a job sees them: which of them could grant the whole gang, now and for how
 * much of the time since it was submitted, what a node costs there, and where the gang was last. It
 * looks whenever the job is told of something, as somebody would who watches placement scores: what
 * another job of the strategy takes meanwhile is seen at the next look. For an elastic job the
 * fewest nodes that it runs on are the whole gang. */
#ifndef FLEETCAST_MODELS_ZONE_WATCH_H
#define FLEETCAST_MODELS_ZONE_WATCH_H

#include "models/fleet/fleet.h"
#include "models/training/training_plan.h"

#include <stdbool.h>
#include <stddef.h>

struct zone_watch {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct crew *const *crews; /* by site */
    double since_s, looked_s;
    double seen_s[ZONES_MAX]; /* obtainable for so long */
    bool was[ZONES_MAX];      /* at the last look */
    size_t last;              /* the zone in which the whole gang was held last; else its count */
};

/* From now on; all borrowed. With one zone, or none, nothing is looked at. */
void zone_watch_begin(struct zone_watch *w, const struct training_plan *plan, struct fleet *fleet,
                      struct crew *const *crews);
/* zone_watch_look where there are several. */
void zone_watch_look_at_all(struct zone_watch *w);
static inline void zone_watch_look(struct zone_watch *w)
{
    if (w->plan->zones > 1) {
        zone_watch_look_at_all(w);
    }
}
/* The whole gang is held there. */
void zone_watch_note(struct zone_watch *w, const struct crew *c);

/* zone_watch_choose where there are several. */
struct crew *zone_watch_choose_among(const struct zone_watch *w, struct crew *active,
                                     const bool *asleep, const bool *dear);
/* Where spot is asked, or goes on to be: where the gang is whole; else where it gathers and could
 * be made whole; else what the rule says; but as long as no zone can grant the whole gang it goes
 * on asking where it asks. By site: dear, not to be asked now; asleep, given up until something
 * changes there, which one zone alone is all the same. NULL: nowhere. */
static inline struct crew *zone_watch_choose(const struct zone_watch *w, struct crew *active,
                                             const bool *asleep, const bool *dear)
{
    if (w->plan->zones > 1) {
        return zone_watch_choose_among(w, active, asleep, dear);
    }
    return dear[PURCHASE_SPOT] ? NULL : w->crews[PURCHASE_SPOT];
}

#endif
