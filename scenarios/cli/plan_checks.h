/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans that can be simulated, but that nobody can have meant: what a user should hear before a
 * result looks plausible. */
#ifndef FLEETCAST_SCENARIOS_PLAN_CHECKS_H
#define FLEETCAST_SCENARIOS_PLAN_CHECKS_H

#include "engine/diagnostics.h"
#include "scenarios/study/study.h"

/* Warns of workloads without work, which cost nothing, and of work that is longer than the horizon
 * even if nothing is ever lost, at the medians of what is uncertain. */
void plan_checks(const struct study *s, struct diagnostics *d);

#endif
