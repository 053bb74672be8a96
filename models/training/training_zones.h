/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy says of several zones, checked for one gang. For models/training only. */
#ifndef FLEETCAST_MODELS_TRAINING_ZONES_H
#define FLEETCAST_MODELS_TRAINING_ZONES_H

#include "models/training/training_making.h"

/* Fills the plan's zones and rule from its terms; its policy is known. False, told, when zones are
 * stated twice, of no use, or not stated where a rule is. */
bool training_zones_make(struct making *m);

#endif
