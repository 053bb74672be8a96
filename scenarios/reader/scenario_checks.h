/* SPDX-License-Identifier: GPL-3.0-or-later
 * What holds between the keys of one scenario: names that must exist, keys that exclude each other,
 * and the choice of strategies. */
#ifndef FLEETCAST_SCENARIOS_SCENARIO_CHECKS_H
#define FLEETCAST_SCENARIOS_SCENARIO_CHECKS_H

#include "scenarios/reader/scenario.h"

/* Checks that need no correct value of any key: all that can be told is told, also beside other
 * errors. */
void scenario_check_names(const struct scenario *s, struct diagnostics *d);

/* Ties the inputs that `correlate` names. Only for a scenario without errors so far, since a number
 * that was refused is no input. */
void scenario_correlate(struct scenario *s, struct diagnostics *d);

/* Keeps only the strategies named, in file order; the baseline follows. */
void scenario_keep_strategies(struct scenario *s, const char *const *names, size_t count,
                              struct diagnostics *d);

#endif
