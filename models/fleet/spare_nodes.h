/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hot spares of a gang: a crew of its own in the same pool, whose nodes boot, wait, and are paid,
 * until they stand in for nodes that the gang has lost. A node that stands in stays the same
 * launch: it leaves one usage record, under its own place in the workload, which it changes with
 * the place that it takes. */
#ifndef FLEETCAST_MODELS_SPARE_NODES_H
#define FLEETCAST_MODELS_SPARE_NODES_H

#include "models/fleet/crew.h"

/* After fleet_add_crew, before the first world: the crew's nodes are spares, with the places behind
 * those of the gang. */
void spare_nodes_make(struct crew *spares, const struct crew *gang, const char *workload_name);
/* Spares that are wanted and lack are asked for. */
void spare_nodes_ask(struct crew *spares);
/* As many booted, sound spares as there are, at most as many as the gang lacks, take the places of
 * nodes that the gang has not, asked for or not; the gang's owner hears of the grant, and of a gang
 * that is ready. Returns how many. */
uint32_t spare_nodes_stand_in(struct crew *spares, struct crew *gang);

#endif
