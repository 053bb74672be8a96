/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much work there is and how fast it goes. For models/training only. */
#ifndef FLEETCAST_MODELS_TRAINING_SPEED_H
#define FLEETCAST_MODELS_TRAINING_SPEED_H

#include "models/training/training_making.h"

/* What the workload says of itself, whatever the strategy: exactly one kind of work, throughputs
 * of instance types that exist. False when anything is wrong; all of it is told. */
bool training_speed_check(const struct making *m);
/* The basis of speed on the plan's instance type and count. False when there is none. */
bool training_speed_make(const struct making *m);
/* For how many nodes of this type the speed of the whole job is measured, by rising count; at most
 * `most` of them. Returns how many. */
size_t training_speed_counts(const struct making *m, struct counted_rate *out, size_t most);
/* What the speed rests on that nobody measured. */
void training_speed_assume(const struct making *m);

#endif
