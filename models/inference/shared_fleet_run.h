/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes that several services share, in one world: its life, and its books. Two loops run:
 * autoscalers say how many replicas each service has; the replicas say how many nodes there are
 * (shared_fleet_places). */
#ifndef FLEETCAST_MODELS_SHARED_FLEET_RUN_H
#define FLEETCAST_MODELS_SHARED_FLEET_RUN_H

#include "models/fleet/work.h"
#include "models/inference/shared_fleet_plan.h"

#include <stdbool.h>

struct shared_fleet_run;
struct service_run;

/* Adds its crews to the fleet, and offers itself to those who stand on it. NULL when out of memory.
 * The plan is borrowed. */
struct shared_fleet_run *shared_fleet_run_new(const struct shared_fleet_plan *plan,
                                              struct fleet *fleet);
void shared_fleet_run_free(struct shared_fleet_run *h);
/* After fleet_begin. */
void shared_fleet_run_begin(struct shared_fleet_run *h);
bool shared_fleet_run_over(const struct shared_fleet_run *h);
/* Ends what still runs. */
void shared_fleet_run_end(struct shared_fleet_run *h, enum end_reason reason);
struct work_result shared_fleet_run_result(const struct shared_fleet_run *h);

/* ---- for services ---- */

/* Once, before its first world: the service stands on it. False when memory is out. */
bool shared_fleet_join(struct shared_fleet_run *h, struct service_run *s);
/* What a service wants, or what its replicas do, has changed. */
void shared_fleet_follow(struct shared_fleet_run *h);
/* Node-seconds that the replicas of this service have taken in this world. */
double shared_fleet_node_s(const struct shared_fleet_run *h, const struct service_run *s);

#endif
