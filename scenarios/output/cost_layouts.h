/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables that say what is spent when, and for what; as result_layouts.h gives
 * them. */
#ifndef FLEETCAST_SCENARIOS_COST_LAYOUTS_H
#define FLEETCAST_SCENARIOS_COST_LAYOUTS_H

#include "engine/table.h"

enum {
    LAYOUT_TIMELINE_COLUMNS = 13,
    LAYOUT_MONTHLY_COLUMNS = 15,
    LAYOUT_QUARTERS_COLUMNS = 17,
    LAYOUT_CATEGORIES_COLUMNS = 8,
    LAYOUT_LINES_COLUMNS = 12,
    LAYOUT_SPLIT_COLUMNS = 10
};
extern const struct column layout_timeline[LAYOUT_TIMELINE_COLUMNS];
extern const struct column layout_monthly[LAYOUT_MONTHLY_COLUMNS];
extern const struct column layout_quarters[LAYOUT_QUARTERS_COLUMNS];
extern const struct column layout_categories[LAYOUT_CATEGORIES_COLUMNS];
extern const struct column layout_lines[LAYOUT_LINES_COLUMNS];
extern const struct column layout_split[LAYOUT_SPLIT_COLUMNS];

#endif
