/* SPDX-License-Identifier: GPL-3.0-or-later
 * The offers that could be signed for what a strategy runs on demand, as a setting of the scenario:
 * for a strategy that lists none. */
#ifndef FLEETCAST_SCENARIOS_COMMIT_OFFERS_H
#define FLEETCAST_SCENARIOS_COMMIT_OFFERS_H

#include "engine/text.h"
#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds "strategies.NAME.commitments=[{kind: …}, …]": of every instance type in the strategy's
 * on-demand pools the standard Reserved Instances and, where their rate is known, the savings plans
 * of one and three years, each in the payment that costs least. Returns how many offers there are.
 */
size_t commit_offers_setting(const struct study *study, size_t strategy, struct text *out);

#endif
