/* SPDX-License-Identifier: GPL-3.0-or-later
 * Failures of hardware in the life of an elastic job. When a node fails that takes part, all work
 * stops, and all stand still until the failure is noticed (`detect`). Then the others go on without
 * it, as after any loss, with whoever else is ready; below the minimum they wait. The node that
 * failed is held, and paid, until something or somebody has acted (`response`), then given up and
 * asked for again. One that fails before it takes part stops nobody, and is given up after as long.
 * What fails while the others stand still is left out with it. For models/training only. */
#ifndef FLEETCAST_MODELS_ELASTIC_FAILURES_H
#define FLEETCAST_MODELS_ELASTIC_FAILURES_H

#include "models/training/elastic_moves.h"

/* For a new world, after fleet_begin. False when a drawn number is impossible. */
bool elastic_failures_begin(struct elastic_job *j, const double *drawn);
/* The gang stands still: its nodes are told of it up to now. Nothing happens when it does not. */
void elastic_down_look(struct elastic_job *j);
/* It stands still no longer. */
void elastic_down_over(struct elastic_job *j);
/* Of crew_events. */
void elastic_node_failed(void *owner, struct crew *c, uint32_t slot);

#endif
