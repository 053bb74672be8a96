/* SPDX-License-Identifier: GPL-3.0-or-later
 * Crews whose nodes are no gang: each works from its own boot on, and how many are wanted may
 * change at any time. Low slots are filled first and emptied last, so that nodes which come and go
 * together stay neighbours and leave one usage record. */
#ifndef FLEETCAST_MODELS_INDEPENDENT_NODES_H
#define FLEETCAST_MODELS_INDEPENDENT_NODES_H

#include "models/fleet/crew.h"

/* Before the first world: the crew is no gang. From its boot on all of a node's time is useful;
 * crew_did, crew_ask and crew_complete are not for it. */
void independent_make(struct crew *c);
/* Likewise, of a crew of one node beside others of its workload in this pool: it is in this slot of
 * the workload, with the luck and the volume of that. */
void independent_place(struct crew *c, uint32_t slot, const char *workload_name);
/* So many nodes are wanted from now on, at most `size`: those that lack are asked for, and come at
 * once as far as the pool has room; what is asked for above that is asked for no longer. A node
 * under notice counts to the end of the notice; what is held stays. */
void independent_want(struct crew *c, uint32_t count);
/* As before, but nothing is taken back. */
void independent_want_at_least(struct crew *c, uint32_t count);
/* Ends nodes until no more than `count` are held beside those under notice, which go by themselves:
 * first those that have not booted, then the others, on the highest slots first. */
void independent_keep(struct crew *c, uint32_t count, enum end_reason reason);

/* Likewise before the first world: what a node did after its boot is told node by node. */
void independent_keep_books(struct crew *c);
/* The node of this slot spent s seconds on this activity. */
void independent_did(struct crew *c, uint32_t slot, enum activity activity, double s);
/* Ends the node of this slot, which is held and under no notice. */
void independent_end(struct crew *c, uint32_t slot, enum end_reason reason);
/* How many more nodes would be launched at once if they were asked for now (after the waits of a
 * pool that has any). */
uint32_t independent_room(const struct crew *c);

/* For crew.c only: those launched now, in slots from `from` to before `to`, will have booted. */
void independent_await_boots(struct crew *c, uint32_t from, uint32_t to);

#endif
