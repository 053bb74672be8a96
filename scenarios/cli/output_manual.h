/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of all result tables and all metrics as Markdown tables: what docs/output.md is made
 * of, and `fleetcast help output`. */
#ifndef FLEETCAST_SCENARIOS_OUTPUT_MANUAL_H
#define FLEETCAST_SCENARIOS_OUTPUT_MANUAL_H

#include "scenarios/cli/command.h"

int output_manual_print(struct command *c);

#endif
