/* SPDX-License-Identifier: GPL-3.0-or-later
 * How a crew asks its pool for nodes, and stops asking. */
#ifndef FLEETCAST_MODELS_CREW_ASKING_H
#define FLEETCAST_MODELS_CREW_ASKING_H

#include "models/fleet/crew.h"

/* Asks for all nodes the crew lacks; they come at once as far as the pool has room, the rest as it
 * frees up, first come first served among crews. Where the pool makes a node wait, it first waits,
 * then comes as room allows. No effect on nodes asked for already. */
void crew_ask(struct crew *c);
/* Stops asking; what is held stays. */
void crew_withdraw(struct crew *c);

/* True when the crew, holding nothing, would be granted whole if it asked now (after the waits of a
 * pool that has any). */
bool crew_obtainable(const struct crew *c);
/* Likewise when it keeps what it holds, under no notice, and asked for the rest now. */
bool crew_could_be_whole(const struct crew *c);
/* How many more nodes the pool would grant the crew if it asked for them now. */
uint32_t crew_room(const struct crew *c);

/* ---- for models/fleet only ---- */

/* Asks for so many more, on the lowest slots that are free; there must be as many. */
void crew_ask_for(struct crew *c, uint32_t missing);
/* So many of those that wait, from the lowest slot, at most all, need wait no longer. */
void crew_stop_waiting(struct crew *c, uint32_t count);
/* The node of this slot is asked for no longer. False when it was not asked for. */
bool crew_withdraw_node(struct crew *c, uint32_t slot);
/* The crew leaves the pool's queue, if it stands there. */
void crew_unqueue(struct crew *c);

#endif
