/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an estimate of speed rests on, in words: for the register of assumptions, and for `check`.
 * For models/training only. */
#ifndef FLEETCAST_MODELS_TRAINING_ESTIMATE_ASSUMED_H
#define FLEETCAST_MODELS_TRAINING_ESTIMATE_ASSUMED_H

#include "engine/text.h"
#include "models/training/training_making.h"

void training_estimate_assume(const struct making *m);
/* "117450 tokens/s, 51 % of the peak, 90 % band x/ 1.24; bound by …": one line. */
void training_estimate_describe(const struct training_plan *p, struct text *out);

#endif
