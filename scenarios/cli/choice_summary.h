/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `run` says of the choice under its table, and of limits that do not hold. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_SUMMARY_H
#define FLEETCAST_SCENARIOS_CHOICE_SUMMARY_H

#include "plots/text/terminal_table.h"
#include "scenarios/cli/command.h"
#include "scenarios/study/run.h"

#include <stdbool.h>

/* Nothing without `choose`. brief: only what was chosen. */
void choice_summary_print(struct command *c, const struct run *run,
                          const struct terminal_style *style, bool brief);
/* One warning for each limit that does not hold or is not known to; true when there is one. */
bool choice_summary_tell_limits(struct command *c, const struct run *run);

#endif
