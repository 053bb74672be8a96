/* SPDX-License-Identifier: GPL-3.0-or-later
 * The two files that show worlds one by one: replications.csv (every world: metrics and drawn
 * inputs) and usage.csv (every node of each strategy's plan world). Written row by row: they can be
 * large. */
#ifndef FLEETCAST_SCENARIOS_WORLD_FILES_H
#define FLEETCAST_SCENARIOS_WORLD_FILES_H

#include "scenarios/study/run.h"

#include <stdbool.h>
#include <stdio.h>

/* One row per strategy × workload (and `all`) × replication: strategy, workload, replication, the
 * metrics, then the inputs drawn. False on a write error or when out of memory (errno is set). */
bool write_replications(FILE *out, const struct run *run);
/* The plan worlds are simulated once more: nothing of a world is kept after its replication. */
bool write_usage(FILE *out, const struct run *run);

#endif
