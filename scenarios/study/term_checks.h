/* SPDX-License-Identifier: GPL-3.0-or-later
 * Keys of strategies that are of one kind of work: they are refused where no workload is of it, so
 * that nothing which a strategy says is left out without a word. */
#ifndef FLEETCAST_SCENARIOS_TERM_CHECKS_H
#define FLEETCAST_SCENARIOS_TERM_CHECKS_H

#include "scenarios/study/study.h"

/* Before there are plans. What is wrong is told at its key. */
void term_checks(const struct study *s, struct diagnostics *d);

#endif
