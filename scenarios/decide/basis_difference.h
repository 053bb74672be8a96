/* SPDX-License-Identifier: GPL-3.0-or-later
 * In what two runs differ before anything is simulated: prices and assumptions that only one of
 * them has or that are not the same in both, and uncertain inputs that are drawn otherwise. What is
 * the same in both has no row. */
#ifndef FLEETCAST_SCENARIOS_BASIS_DIFFERENCE_H
#define FLEETCAST_SCENARIOS_BASIS_DIFFERENCE_H

#include "engine/table.h"
#include "scenarios/output/run_basis.h"

/* Their columns, for the manual. */
enum { ASSUMPTION_DIFFERENCE_COLUMNS = 6, INPUT_DIFFERENCE_COLUMNS = 9 };
extern const struct column assumption_difference_columns[ASSUMPTION_DIFFERENCE_COLUMNS];
extern const struct column input_difference_columns[INPUT_DIFFERENCE_COLUMNS];

/* A price or an assumption is the same when its value and its source are. Of several of one name
 * those that are alike are matched first, the others in their order. NULL when memory is out. */
struct table *assumption_differences(const struct run_basis *a, const struct run_basis *b);
/* Over the worlds that both have. same_seed: the draws are, so an input is the same when it is in
 * every world; else when the 99 % intervals of its P10, P50 and P90 overlap. NULL when memory is
 * out. */
struct table *input_differences(const struct run_basis *a, const struct run_basis *b,
                                bool same_seed);

#endif
