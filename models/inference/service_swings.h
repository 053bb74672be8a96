/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas of a language model that swing between too few and too many. What one has in flight
 * grows faster than its load: where target tracking leaves it at more than about three fifths, the
 * rest is overloaded soon after some were taken away. What waits, and how long requests take,
 * hardly shows until all are full. When it tips over is chance, which is simulated as it happens
 * request by request; steps err. For service_plan.c only. */
#ifndef FLEETCAST_MODELS_SERVICE_SWINGS_H
#define FLEETCAST_MODELS_SERVICE_SWINGS_H

#include "models/inference/service_fleet_plan.h"

/* Once the mode and the hosts are known. Refuses, at the autoscalers, what steps would not follow;
 * where they are stated it warns, and is true. */
bool service_check_swings(const struct service_making *m);

#endif
