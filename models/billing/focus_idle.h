/* SPDX-License-Identifier: GPL-3.0-or-later
 * Capacity reserved on demand in which nothing runs, as rows of an export: usage like that of
 * nodes, which commitments may cover. */
#ifndef FLEETCAST_MODELS_FOCUS_IDLE_H
#define FLEETCAST_MODELS_FOCUS_IDLE_H

#include "models/billing/focus_making.h"

void focus_put_idle(struct focus_making *m);

#endif
