/* SPDX-License-Identifier: GPL-3.0-or-later
 * `--print METRIC.QUANTILE`: one value out of summary.csv and nothing else, for scripts. */
#ifndef FLEETCAST_SCENARIOS_BARE_VALUE_H
#define FLEETCAST_SCENARIOS_BARE_VALUE_H

#include "scenarios/cli/command.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/study.h"

/* Before anything is simulated: there is one strategy, such a metric and such a column. True when
 * nothing was asked for. */
bool bare_value_check(struct command *c, const struct study *s);
/* Prints it. A value that is unknown, or does not exist in this scenario, is told in the
 * diagnostics, and nothing is printed. */
void bare_value_print(struct command *c, const struct table *summary);

#endif
