/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables about what is signed, and ways to buy an hour; as result_layouts.h
 * gives them. */
#ifndef FLEETCAST_SCENARIOS_COMMITMENT_LAYOUTS_H
#define FLEETCAST_SCENARIOS_COMMITMENT_LAYOUTS_H

#include "engine/table.h"

enum {
    LAYOUT_COMMITMENTS_COLUMNS = 38,
    LAYOUT_COMMITMENT_LEVELS_COLUMNS = 22,
    LAYOUT_BREAK_EVEN_COLUMNS = 10
};
extern const struct column layout_commitments[LAYOUT_COMMITMENTS_COLUMNS];
extern const struct column layout_commitment_levels[LAYOUT_COMMITMENT_LEVELS_COLUMNS];
extern const struct column layout_break_even[LAYOUT_BREAK_EVEN_COLUMNS];

#endif
