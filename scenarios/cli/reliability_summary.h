/* SPDX-License-Identifier: GPL-3.0-or-later
 * What failures of hardware and interruptions do to each strategy, under the table of a run whose
 * workloads state failures. */
#ifndef FLEETCAST_SCENARIOS_RELIABILITY_SUMMARY_H
#define FLEETCAST_SCENARIOS_RELIABILITY_SUMMARY_H

#include "scenarios/cli/command.h"
#include "scenarios/study/run.h"

/* Prints nothing where no workload has failures. */
void reliability_summary_print(struct command *c, const struct run *run);

#endif
