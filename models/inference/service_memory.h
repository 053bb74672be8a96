/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of a service's plan that is about the memory of accelerators, where replicas are no
 * language model's, which looks after its own. For service_plan.c only. */
#ifndef FLEETCAST_MODELS_SERVICE_MEMORY_H
#define FLEETCAST_MODELS_SERVICE_MEMORY_H

#include "models/inference/service_fleet_plan.h"

#include <stdbool.h>

/* Once pools and ways to serve are known: each replica has what it takes with all its slots in use,
 * beside those on its node. Told at the way to serve, and false then. */
bool service_set_memory(const struct service_making *m);

#endif
