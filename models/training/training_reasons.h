/* SPDX-License-Identifier: GPL-3.0-or-later
 * The figures from which a training plan follows, as planning sees them: memory by its terms, and
 * what its speed is made of. */
#ifndef FLEETCAST_MODELS_TRAINING_REASONS_H
#define FLEETCAST_MODELS_TRAINING_REASONS_H

#include "models/fleet/work.h"

void training_reasons(const struct work_plan *plan, work_reason_row *row, void *context);

#endif
