/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables that show the spot market, and what strategies do in it, in single
 * worlds; as result_layouts.h gives them. */
#ifndef FLEETCAST_SCENARIOS_MARKET_LAYOUTS_H
#define FLEETCAST_SCENARIOS_MARKET_LAYOUTS_H

#include "engine/table.h"

enum { LAYOUT_MARKET_COLUMNS = 10, LAYOUT_SURVIVAL_COLUMNS = 10, LAYOUT_PLAN_WORLD_COLUMNS = 11 };
extern const struct column layout_market[LAYOUT_MARKET_COLUMNS];
extern const struct column layout_survival[LAYOUT_SURVIVAL_COLUMNS];
extern const struct column layout_plan_world[LAYOUT_PLAN_WORLD_COLUMNS];

#endif
