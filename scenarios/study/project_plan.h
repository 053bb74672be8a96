/* SPDX-License-Identifier: GPL-3.0-or-later
 * The project as planning sees it: in which order its workloads come, by when all must be done, and
 * when each would begin if nothing is ever lost. */
#ifndef FLEETCAST_SCENARIOS_PROJECT_PLAN_H
#define FLEETCAST_SCENARIOS_PROJECT_PLAN_H

#include "scenarios/study/study.h"

/* Fills study.order from what the workloads say and the scenario's `deadline`. False, told, when
 * they contradict each other. */
bool project_plan_order(struct study *s, const struct market_context *c);

/* Of one strategy: sets planned_start_s of all its plans, and holds their deadlines against the
 * project's. False, told, when one of them lies behind it, or when memory is out. */
bool project_plan_times(const struct study *s, struct work_plan **plans,
                        const struct market_context *c);

#endif
