/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which keys two scenarios state otherwise: both as they were read, files and settings laid over
 * each other, held against each other key by key. What is stated alike, in whatever order, has no
 * row; what is written otherwise has one, also where it means the same (`24h` and `1d`). */
#ifndef FLEETCAST_SCENARIOS_STATED_DIFFERENCE_H
#define FLEETCAST_SCENARIOS_STATED_DIFFERENCE_H

#include "engine/arena.h"
#include "engine/table.h"
#include "scenarios/reader/yaml_tree.h"

/* Their columns, for the manual. */
enum { STATED_DIFFERENCE_COLUMNS = 4 };
extern const struct column stated_difference_columns[STATED_DIFFERENCE_COLUMNS];

/* One of the two. */
struct stated_side {
    const struct yaml_node *tree; /* a MAP */
    /* Which strategies count; what others state has no row. */
    const char *const *strategies;
    size_t strategy_count;
};

/* In the order of a, then what b alone states of a mapping. A part that one of them does not have
 * is one row. Items of lists of equal length that hold mappings are held against each other one by
 * one (`commitments[2].count`). Price files are the same when their names are, wherever they lie:
 * what they say is in the register. NULL when memory is out. */
struct table *stated_differences(const struct stated_side *a, const struct stated_side *b,
                                 struct arena *arena);

#endif
