/* SPDX-License-Identifier: GPL-3.0-or-later
 * An elastic job in several zones of spot: one at a time, which a rule chooses (`failover`), or,
 * with `span_zones`, all at once; and how much work was done across their borders. For
 * models/training only. */
#ifndef FLEETCAST_MODELS_ELASTIC_ZONES_H
#define FLEETCAST_MODELS_ELASTIC_ZONES_H

#include "models/training/elastic_moves.h"

/* The job is submitted, now. */
void elastic_zones_begin(struct elastic_job *j);
/* Chooses the zone that is asked from now on, where it is one at a time. */
void elastic_zones_look(struct elastic_job *j);
/* What takes part has changed: where the gang is, is remembered. */
void elastic_zones_note(struct elastic_job *j);
/* Nodes of this site may be asked for: of spot, those in the zones that are. */
bool elastic_asks(const struct elastic_job *j, int site);
/* Nodes held on such sites of this way to buy, under no notice, whose hardware works; and those
 * that would be granted beside them now, where they are not too dear. */
uint32_t elastic_sound_on(const struct elastic_job *j, enum purchase purchase);
uint32_t elastic_room_on(const struct elastic_job *j, enum purchase purchase);

/* Seconds of work that crews of the gang were told of so far. */
double elastic_worked_s(const struct crew *c);
/* Seconds of work of all nodes of the plan, times the borders that it crossed: while the nodes that
 * took part stood in several zones, as many borders as zones; on-demand nodes stand in all of them.
 */
double elastic_crossed_s(const struct elastic_job *j);

#endif
