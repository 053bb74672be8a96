/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many nodes others run over time: from a constant, a profile by the hour of the day or the
 * week, or a CSV file, to steps. Hours that are equal to the one before are no step, so that rating
 * grows with changes. */
#ifndef FLEETCAST_MODELS_OTHERS_USE_H
#define FLEETCAST_MODELS_OTHERS_USE_H

#include "models/commitments/account_plan.h"

#include <stdbool.h>

/* Fills the steps of `use` from its spec, over [0, until_us). What is wrong is told at the spec or
 * in the file. */
bool others_use_read(struct others_use *use, const char *folder, int64_t until_us,
                     const struct market_context *context);

/* So many nodes at a scale. */
int64_t others_use_scaled(int64_t count, double scale);

/* What runs at an instant >= 0 by plan, at the scale's median. */
int64_t others_use_at(const struct others_use *use, int64_t at_us);

/* From at_us on `delta` more nodes of one use run. */
struct others_change {
    int64_t at_us;
    uint32_t use; /* of the account */
    int32_t delta;
};

#endif
