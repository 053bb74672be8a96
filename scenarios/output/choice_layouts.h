/* SPDX-License-Identifier: GPL-3.0-or-later
 * Columns of choice.csv and limits.csv. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_LAYOUTS_H
#define FLEETCAST_SCENARIOS_CHOICE_LAYOUTS_H

#include "engine/table.h"

enum { LAYOUT_CHOICE_COLUMNS = 22, LAYOUT_LIMITS_COLUMNS = 9 };
extern const struct column layout_choice[LAYOUT_CHOICE_COLUMNS];
extern const struct column layout_limits[LAYOUT_LIMITS_COLUMNS];

#endif
