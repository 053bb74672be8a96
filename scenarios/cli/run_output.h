/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a run writes: the directory asked for, or one named after the scenario file. When a run
 * comes to nothing, nothing is left of it. */
#ifndef FLEETCAST_SCENARIOS_RUN_OUTPUT_H
#define FLEETCAST_SCENARIOS_RUN_OUTPUT_H

#include "scenarios/cli/command.h"
#include "scenarios/output/result_folder.h"

#define RUN_OUTPUT_DEFAULT "fleetcast-results"

struct run_output {
    struct result_folder folder;
    const char *path;
    size_t kept; /* so many bytes of path are a folder that was there before, or nothing */
};

/* False with the reason in the command's diagnostics; nothing is left then. */
bool run_output_open(struct run_output *o, struct command *c);
void run_output_abandon(const struct run_output *o);

/* "fleetcast-results/quickstart" for "scenarios/quickstart.yaml"; in the arena. */
const char *run_output_default(struct arena *a, const char *scenario_path);

#endif
