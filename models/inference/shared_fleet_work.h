/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: fleet`, as the simulator drives it. */
#ifndef FLEETCAST_MODELS_SHARED_FLEET_WORK_H
#define FLEETCAST_MODELS_SHARED_FLEET_WORK_H

#include "models/fleet/work.h"
#include "models/inference/shared_fleet_plan.h"

extern const struct work_kind work_shared_fleet;

#endif
