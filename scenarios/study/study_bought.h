/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy has bought for itself before its work runs: Capacity Blocks and hardware of its
 * own, each once however many workloads share it. */
#ifndef FLEETCAST_SCENARIOS_STUDY_BOUGHT_H
#define FLEETCAST_SCENARIOS_STUDY_BOUGHT_H

#include "scenarios/study/study.h"

#include <stdbool.h>

/* After the strategy's plans: sets its windows and what it owns. False when what it buys is of no
 * use or cannot be had, which is told, or when memory is out. */
bool study_find_bought(const struct study *s, struct study_strategy *strategy,
                       const struct market_context *c);

#endif
