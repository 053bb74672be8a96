/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of `run` that tells how well commitments were used: a row each, few columns; all of them
 * are in commitments.csv. */
#ifndef FLEETCAST_SCENARIOS_COMMITMENT_SUMMARY_H
#define FLEETCAST_SCENARIOS_COMMITMENT_SUMMARY_H

#include "engine/table.h"
#include "scenarios/cli/command.h"

/* commitments: the table of commitment_results.h; prints nothing when it has no rows. Of more than
 * a dozen rows the others are counted. */
void commitment_summary_print(struct command *c, const struct table *commitments,
                              const char *currency);

#endif
