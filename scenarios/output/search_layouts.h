/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables of a search; as result_layouts.h gives them. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_LAYOUTS_H
#define FLEETCAST_SCENARIOS_SEARCH_LAYOUTS_H

#include "engine/table.h"

enum { LAYOUT_CANDIDATES_COLUMNS = 22, LAYOUT_FRONT_COLUMNS = 13 };
extern const struct column layout_candidates[LAYOUT_CANDIDATES_COLUMNS];
extern const struct column layout_front[LAYOUT_FRONT_COLUMNS];

#endif
