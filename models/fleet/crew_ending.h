/* SPDX-License-Identifier: GPL-3.0-or-later
 * How nodes of a crew end: what the record of each says, and that the crew and its pool hold them
 * no longer. Nodes side by side that came and go together are one record. For models/fleet only. */
#ifndef FLEETCAST_MODELS_CREW_ENDING_H
#define FLEETCAST_MODELS_CREW_ENDING_H

#include "models/fleet/fleet_pool.h"

/* Nothing ends the node any more. Mostly nothing did. */
static inline void crew_cancel_events(struct crew *c, struct node *n)
{
    if ((n->event.generation | n->failure.generation) != EVENT_NONE.generation) {
        calendar_cancel(c->fleet->calendar, n->event);
        calendar_cancel(c->fleet->calendar, n->failure);
        n->event = n->failure = EVENT_NONE;
    }
}
/* The node is the crew's no longer; its record is the caller's. */
void crew_forget(struct crew *c, uint32_t slot);
/* Ends so many nodes, found from this slot on: those of this batch of notices, or all, or all that
 * are under none, or those of them that have not booted, have failed or take no part. There must be
 * as many. */
#define CREW_ANY_BATCH   UINT64_MAX
#define CREW_NOT_LEAVING (UINT64_MAX - 1)
#define CREW_BOOTING     (UINT64_MAX - 2)
#define CREW_FAILED      (UINT64_MAX - 3)
#define CREW_APART       (UINT64_MAX - 4)
void crew_end(struct crew *c, uint32_t from, uint32_t number, uint64_t batch,
              enum end_reason reason);

#endif
