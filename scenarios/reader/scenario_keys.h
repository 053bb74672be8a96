/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys at the top of a scenario. */
#ifndef FLEETCAST_SCENARIOS_SCENARIO_KEYS_H
#define FLEETCAST_SCENARIOS_SCENARIO_KEYS_H

#include "engine/schema.h"

extern const struct schema scenario_schema; /* the root */

#endif
