/* SPDX-License-Identifier: GPL-3.0-or-later
 * The account beside the plan as rows of an export: what others run, what is covered of it by whom,
 * and which part of that is the plan's: what they pay more on demand than they would without it, or
 * less. */
#ifndef FLEETCAST_MODELS_FOCUS_OTHERS_H
#define FLEETCAST_MODELS_FOCUS_OTHERS_H

#include "models/billing/focus_making.h"

/* Their nodes in all hours of commitments. */
void focus_put_others(struct focus_making *m);

#endif
