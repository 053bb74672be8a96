/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes in a FOCUS file. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_CHARGE_CELLS_H
#define FLEETCAST_SCENARIOS_FOCUS_CHARGE_CELLS_H

#include "scenarios/output/focus_writing.h"

void writing_charge(struct focus_writing *w, const struct focus_row *row);

#endif
