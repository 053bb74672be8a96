/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a training job is to save its work, planned before any world is drawn. For
 * models/training only. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_PLAN_H
#define FLEETCAST_MODELS_CHECKPOINT_PLAN_H

#include "models/training/training_making.h"

/* What the strategy cannot do with these checkpoints, or without any. Needs the policy and what a
 * checkpoint costs. */
bool checkpoint_plan_check(const struct making *m);
/* The intervals, and when the last checkpoint in a capacity block is begun; `auto` and what follows
 * from it go to the register of assumptions. Needs the pools. */
void checkpoint_plan_make(const struct making *m);

/* The useful work between two that wastes least at this rate of losses a second, when work stands
 * still for pause_s at each and it is complete write_s after that pause began (or, asynchronous,
 * ended). Of asynchronous ones to first order: what is lost beside half an interval, the write
 * behind, does not depend on the interval, which only must not be shorter than it. */
double checkpoint_best_interval_s(const struct checkpoint_spec *c, double rate, double pause_s,
                                  double write_s);

#endif
