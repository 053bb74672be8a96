/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables that say what a result hangs on; as result_layouts.h gives them. */
#ifndef FLEETCAST_SCENARIOS_SENSITIVITY_LAYOUTS_H
#define FLEETCAST_SCENARIOS_SENSITIVITY_LAYOUTS_H

#include "engine/table.h"

enum {
    LAYOUT_SENSITIVITY_COLUMNS = 16,
    LAYOUT_INFORMATION_COLUMNS = 8,
    LAYOUT_THRESHOLDS_COLUMNS = 18
};
extern const struct column layout_sensitivity[LAYOUT_SENSITIVITY_COLUMNS];
extern const struct column layout_information[LAYOUT_INFORMATION_COLUMNS];
extern const struct column layout_thresholds[LAYOUT_THRESHOLDS_COLUMNS];

#endif
