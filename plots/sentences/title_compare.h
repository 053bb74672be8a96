/* SPDX-License-Identifier: GPL-3.0-or-later
 * The titles that set two strategies against each other; the rules stand in titles.h. */
#ifndef FLEETCAST_PLOTS_TITLE_COMPARE_H
#define FLEETCAST_PLOTS_TITLE_COMPARE_H

#include "engine/text.h"
#include "plots/facts/study_facts.h"

void title_compare(struct text *out, const struct study_facts *f);
void title_cost_time(struct text *out, const struct study_facts *f);

#endif
