/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas of a language model whose key-value cache is full and whose outputs are long beside the
 * prompts. Requests are admitted by their prompts, outgrow the cache and are evicted, and what was
 * computed is computed again: a full replica serves less than one that is nearly full. Which of
 * the two states each is in is its own history, which steps do not have. For service_plan.c only.
 */
#ifndef FLEETCAST_MODELS_SERVICE_FULL_CACHE_H
#define FLEETCAST_MODELS_SERVICE_FULL_CACHE_H

#include "models/inference/service_fleet_plan.h"

#include <stdbool.h>

/* Once the mode and the hosts are known. Refuses, at the strategy's instances, a fleet that may
 * fill such caches in steps of time; where steps are stated it warns, and is true. */
bool service_check_full_cache(const struct service_making *m);

#endif
