/* SPDX-License-Identifier: GPL-3.0-or-later
 * Crews whose nodes come and go one by one like independent ones, but work together: those that
 * take part share what crew_did tells; those that boot, wait to be taken in, or have been left out,
 * do not. A node whose hardware has failed is down from then on, to its end; its owner lets it
 * leave (team_leave) once the work is told of that it had part in. */
#ifndef FLEETCAST_MODELS_TEAM_NODES_H
#define FLEETCAST_MODELS_TEAM_NODES_H

#include "models/fleet/crew.h"

/* Before the first world. All of independent_nodes.h holds but that time which nobody tells of is
 * waiting. */
void team_make(struct crew *c);
/* From now on all nodes that have booted, work and are under no notice take part, and no others. */
void team_join(struct crew *c);
/* The node of this slot takes part no longer: what is told from now on is not its. */
void team_leave(struct crew *c, uint32_t slot);
/* Nodes that take part and are under no notice. */
static inline uint32_t team_staying(const struct crew *c)
{
    return c->team.part - c->team.noticed;
}
/* Booted nodes under no notice that do not take part yet. */
static inline uint32_t team_joiners(const struct crew *c)
{
    return c->ready - team_staying(c);
}
/* Nodes held, under no notice, whose hardware works. */
static inline uint32_t team_sound(const struct crew *c)
{
    return c->held - c->noticed - c->team.failed;
}
/* … that boot. */
static inline uint32_t team_booting(const struct crew *c)
{
    return team_sound(c) - c->ready;
}
/* Ends nodes until no more than `count` are held that are under no notice, only such that do not
 * take part. */
void team_keep_apart(struct crew *c, uint32_t count);
/* Of any crew: the last s seconds that it was told of as useful were lost after all, as far as
 * nodes that work now had part in them. */
void team_did_in_vain(struct crew *c, double s);

/* For crew.c only: the hardware of the node of this slot has failed, so that it counts as booted no
 * more, whether or not it takes part. */
void team_node_failed(struct crew *c, uint32_t slot);
/* For crew.c only: of so many nodes of this batch of notices, from this slot on, those that take
 * part are going. */
void team_count_going(struct crew *c, uint32_t first, uint32_t batch, uint32_t number);

#endif
