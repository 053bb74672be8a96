/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cash by fiscal quarter against the budget, from quarters.csv: mean over all futures, P10 and P90,
 * and what is paid up to the quarter's end. The mean is what adds up; where unfinished work leaves
 * it unknown the sums from there on are unknown too. */
#ifndef FLEETCAST_PLOTS_REPORT_CASH_H
#define FLEETCAST_PLOTS_REPORT_CASH_H

#include "plots/report/report_choice.h"

/* A grid of one strategy, and a sentence: "By the end of FY2026 Q1 $4,100 of the $6,000 budget is
 * paid". strategy < 0: of all, a row each, mean cash alone. */
void report_cash(struct report_document *r, const struct report_source *s, int strategy);

/* Where more is paid inside the plan, on average, than the P80 of the cost, which a stated `reuse`
 * lowers: who asks for the cost alone could not pay. */
void report_cash_above_cost(struct report_document *r, const struct report_source *s, int strategy);

#endif
