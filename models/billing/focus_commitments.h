/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments as rows of an export: what is paid for them, and what of them nothing used. */
#ifndef FLEETCAST_MODELS_FOCUS_COMMITMENTS_H
#define FLEETCAST_MODELS_FOCUS_COMMITMENTS_H

#include "models/billing/focus_making.h"

/* k: in the plan. */
void focus_put_commitment(struct focus_making *m, size_t k);

#endif
