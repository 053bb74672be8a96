/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a training job is to save its work, planned before any world is drawn. For
 * models/training only. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_PLAN_H
#define FLEETCAST_MODELS_CHECKPOINT_PLAN_H

#include "models/training/training_making.h"

/* What the strategy cannot do with these checkpoints, or without any. Needs the policy. */
bool checkpoint_plan_check(const struct making *m);
/* The intervals, and when the last checkpoint in a capacity block is begun; `auto` and what follows
 * from it go to the register of assumptions. Needs the pools. */
void checkpoint_plan_make(const struct making *m);

#endif
