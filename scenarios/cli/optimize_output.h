/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a search found, on the terminal. */
#ifndef FLEETCAST_SCENARIOS_OPTIMIZE_OUTPUT_H
#define FLEETCAST_SCENARIOS_OPTIMIZE_OUTPUT_H

#include "engine/table.h"
#include "scenarios/cli/command.h"
#include "scenarios/decide/search.h"

/* Everything but where the results are. */
void optimize_output_print(struct command *c, const struct search *s, const struct table *front);

#endif
