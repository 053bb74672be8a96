/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether the workloads of a strategy, each of which a quota of the account has room for, have room
 * in it together. */
#ifndef FLEETCAST_SCENARIOS_QUOTA_CHECK_H
#define FLEETCAST_SCENARIOS_QUOTA_CHECK_H

#include "engine/diagnostics.h"
#include "scenarios/study/study.h"

/* Warns of strategies whose workloads would have to wait for each other if they ran at the same
 * time. A workload counts with the most that it may have in one pool: a gang runs in one at a time.
 */
void quota_check(const struct study *s, struct diagnostics *d);

#endif
