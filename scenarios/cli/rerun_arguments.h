/* SPDX-License-Identifier: GPL-3.0-or-later
 * The arguments by which the results in a directory were made, with the copies in it as operands.
 */
#ifndef FLEETCAST_SCENARIOS_RERUN_ARGUMENTS_H
#define FLEETCAST_SCENARIOS_RERUN_ARGUMENTS_H

#include "scenarios/cli/command.h"
#include "scenarios/output/manifest.h"

/* In the command's arena. False, told in its diagnostics, when the manifest does not say. */
bool rerun_arguments(struct command *c, const char *folder, const struct manifest *m,
                     struct arguments *out);

#endif
