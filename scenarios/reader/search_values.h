/* SPDX-License-Identifier: GPL-3.0-or-later
 * The values of one searched key: lists, ranges, patterns (search_space.h says how they look). */
#ifndef FLEETCAST_SCENARIOS_SEARCH_VALUES_H
#define FLEETCAST_SCENARIOS_SEARCH_VALUES_H

#include "scenarios/reader/search_space.h"

struct search_values {
    struct arena *arena;
    const struct catalogue *catalogue;
    struct diagnostics *diagnostics;
    bool of_types; /* the key takes an instance type */
};

/* Fills values, and what belongs to a continuous range, of a key whose path is there. False, told.
 */
bool search_values_read(const struct search_values *v, struct search_key *k,
                        const struct yaml_node *node);

#endif
